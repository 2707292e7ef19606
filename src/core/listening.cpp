#include "listening.hpp"

namespace gnomon {
namespace {
thread_local Listening* listening_here = nullptr;
}  // namespace

Listening* Listening::here() { return listening_here; }

Listening::Listening(const Progress& told) : told_(told), before_(listening_here) {
  if (told_.report) {
    progress_.report = [this](std::string_view what, double fraction) {
      const std::lock_guard guard(lock_);
      what_ = what;
      fraction_ = fraction;
      return told_.report(what, fraction);
    };
    listening_here = this;
  } else if (before_) {
    progress_.report = [outer = before_](std::string_view, double) { return outer->goes_on(); };
  }
}

Listening::~Listening() { listening_here = before_; }

bool Listening::goes_on() {
  const std::lock_guard guard(lock_);
  return told_.report(what_, fraction_);
}

ListeningToo::ListeningToo(Listening* other) : before_(listening_here) { listening_here = other; }
ListeningToo::~ListeningToo() { listening_here = before_; }

void stop_if_asked() {
  if (listening_here && !listening_here->goes_on()) throw Interrupted();
}

}  // namespace gnomon
