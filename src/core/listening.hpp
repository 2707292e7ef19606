#pragma once

#include <mutex>
#include <string>

#include "gnomon/core/progress.hpp"

namespace gnomon {

/// Remembers what a computation said last, so that loops too deep to be handed a Progress can ask whether to go on. Of the thread that
/// made it, until it is destroyed; made of an empty Progress inside another one it asks that, whose words it leaves alone.
class Listening {
 public:
  explicit Listening(const Progress& told);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  /// To be used in place of the one that was handed over.
  const Progress& progress() const { return progress_; }
  /// Asks with the last words; any thread may, one at a time.
  bool goes_on();
  /// That of this thread; null if there is none.
  static Listening* here();

 private:
  Progress told_, progress_;
  std::mutex lock_;
  std::string what_;
  double fraction_ = 0;
  Listening* before_;
};

/// What another thread listens to is listened to here, in the tasks of a parallel loop.
class ListeningToo {
 public:
  explicit ListeningToo(Listening* other);
  ~ListeningToo();
  ListeningToo(const ListeningToo&) = delete;
  ListeningToo& operator=(const ListeningToo&) = delete;

 private:
  Listening* before_;
};

/// Throws Interrupted where this thread listens to somebody who asks for a stop. Cost: a tenth of a microsecond.
void stop_if_asked();

}  // namespace gnomon
