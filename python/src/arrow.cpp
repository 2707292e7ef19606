#include "arrow.hpp"

#include <cstring>
#include <map>
#include <string_view>

#include "gnomon/core/error.hpp"
#include "rows.hpp"

namespace gnomon::python {
namespace {

/// A struct of Arrow, given back when it is no longer needed.
template <class Struct>
struct Held : Struct {
  Held() : Struct{} {}
  ~Held() {
    if (this->release) this->release(this);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

bool bit(const void* bits, std::int64_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8)) & 1;
}

bool is_null(const ArrowArray& array, std::int64_t row) {
  const void* valid = array.n_buffers > 0 ? array.buffers[0] : nullptr;
  return array.null_count != 0 && valid && !bit(valid, array.offset + row);
}

template <class Number>
double number_as(const ArrowArray& array, std::int64_t row) {
  return static_cast<double>(static_cast<const Number*>(array.buffers[1])[array.offset + row]);
}

using NumberAt = double (*)(const ArrowArray&, std::int64_t row);

/// How the cells of a format become numbers; null if they are none.
NumberAt number_reader(std::string_view format) {
  static const std::map<std::string_view, NumberAt> readers{
      {"g", number_as<double>},
      {"f", number_as<float>},
      {"c", number_as<std::int8_t>},
      {"C", number_as<std::uint8_t>},
      {"s", number_as<std::int16_t>},
      {"S", number_as<std::uint16_t>},
      {"i", number_as<std::int32_t>},
      {"I", number_as<std::uint32_t>},
      {"l", number_as<std::int64_t>},
      {"L", number_as<std::uint64_t>},
      {"b",
       [](const ArrowArray& a, std::int64_t row) { return bit(a.buffers[1], a.offset + row) ? 1.0 : 0.0; }}};
  const auto found = readers.find(format);
  return found == readers.end() ? nullptr : found->second;
}

template <class Offset>
std::string_view text_as(const ArrowArray& array, std::int64_t row) {
  const auto* ends = static_cast<const Offset*>(array.buffers[1]) + array.offset + row;
  return {static_cast<const char*>(array.buffers[2]) + ends[0], static_cast<std::size_t>(ends[1] - ends[0])};
}

/// Views: 16 bytes with the length, then the text itself if it has at most 12 bytes, else 4 bytes of it, the number of a
/// buffer and a place in that.
std::string_view viewed_text(const ArrowArray& array, std::int64_t row) {
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + row);
  std::int32_t length = 0, buffer = 0, place = 0;
  std::memcpy(&length, view, 4);
  if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&place, view + 12, 4);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + place, static_cast<std::size_t>(length)};
}

using TextAt = std::string_view (*)(const ArrowArray&, std::int64_t row);

TextAt text_reader(std::string_view format) {
  if (format == "u") return text_as<std::int32_t>;
  if (format == "U") return text_as<std::int64_t>;
  if (format == "vu") return viewed_text;
  return nullptr;
}

/// One column, chunk by chunk.
class StreamColumn {
 public:
  StreamColumn(const ArrowSchema& schema, const std::string& source) : name(schema.name ? schema.name : "") {
    const std::string_view format = schema.format;
    if (schema.dictionary) {
      index_ = number_reader(format);
      text_ = text_reader(schema.dictionary->format);
    } else {
      number_ = number_reader(format);
      text_ = text_reader(format);
    }
    require(number_ || text_,
            "{}: column '{}' holds neither numbers nor texts (Arrow's type '{}'); leave it out", source, name,
            format);
  }

  bool numeric() const { return number_ != nullptr; }

  void add(const ArrowArray& array, std::int64_t offset, std::int64_t length) {
    for (std::int64_t row = offset; row < offset + length; ++row) {
      const bool missing = is_null(array, row);
      if (number_)
        numbers.push_back(missing ? undefined : number_(array, row));
      else
        codes.push_back(missing ? -1 : code_at(array, row));
    }
  }

  std::string name;
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  std::vector<std::string> levels;

 private:
  int code_at(const ArrowArray& array, std::int64_t row) {
    if (!index_) return code_of(text_(array, row));
    const auto at = static_cast<std::int64_t>(index_(array, row));
    return is_null(*array.dictionary, at) ? -1 : code_of(text_(*array.dictionary, at));
  }
  int code_of(std::string_view text) {
    const auto [at, is_new] = code_of_.try_emplace(std::string(text), static_cast<int>(levels.size()));
    if (is_new) levels.emplace_back(text);
    return at->second;
  }

  NumberAt number_ = nullptr, index_ = nullptr;
  TextAt text_ = nullptr;
  std::map<std::string, int> code_of_;
};

}  // namespace

void Rows::add_stream(const py::object& frame) {
  const py::capsule capsule = frame.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!stream) throw py::error_already_set();
  const auto check = [&](int trouble) {
    if (trouble == 0) return;
    const char* why = stream->get_last_error(stream);
    fail("{}: the table cannot be read ({})", source_, why ? why : "no reason given");
  };
  Held<ArrowSchema> schema;
  check(stream->get_schema(stream, &schema));
  require(std::string_view(schema.format) == "+s", "{}: not a table with named columns", source_);
  std::vector<StreamColumn> columns;
  for (std::int64_t j = 0; j < schema.n_children; ++j) columns.emplace_back(*schema.children[j], source_);
  while (true) {
    Held<ArrowArray> chunk;
    check(stream->get_next(stream, &chunk));
    if (!chunk.release) break;
    for (std::size_t j = 0; j < columns.size(); ++j)
      columns[j].add(*chunk.children[j], chunk.offset, chunk.length);
  }
  for (StreamColumn& column : columns) {
    if (column.numeric())
      add_numbers({column.name}, py::array_t<double>(static_cast<py::ssize_t>(column.numbers.size()),
                                                     column.numbers.data()));
    else
      add_texts(column.name,
                py::array_t<std::int32_t>(static_cast<py::ssize_t>(column.codes.size()), column.codes.data()),
                std::move(column.levels));
  }
}

}  // namespace gnomon::python
