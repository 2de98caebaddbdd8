//===- ProtoReader.cpp - Reading a profile from protobuf ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proto.h"
#include "Schema.h"

#include "mlir-prof/Support/ProtoReader.h"
#include <protozero/exception.hpp>

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using protozero::pbf_wire_type;

namespace {

/// State shared by all messages.
struct ReaderState {
  explicit ReaderState(MemoryBudget &budget) : budget(budget) {}

  MemoryBudget &budget;
  llvm::SmallVector<uint32_t, 16> path;
  /// By path. A message that is not repeated may come in several pieces.
  std::map<std::vector<uint32_t>, std::string> unknown;
  /// First error that protozero does not throw for.
  std::string problem;
};

/// The budget is exceeded.
struct TooLarge : std::exception {};

/// Reads the current field of `reader` into the member with its number. A field
/// of another wire type counts as unknown, as in other protobuf readers.
class FieldReader {
public:
  [[maybe_unused]] static constexpr bool kIsJson = false;

  FieldReader(ReaderState &state, ProtoReader &reader)
      : state(state), reader(reader) {}

  bool isHandled() const { return handled; }

  template <typename T>
  void operator()(uint32_t number, llvm::StringLiteral name, T &member) {
    if constexpr (std::is_enum_v<T>) {
      if (take(number, pbf_wire_type::varint))
        member = enumeration<T>(reader.get_uint64(), name);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (take(number, pbf_wire_type::varint))
        member = reader.get_uint64() != 0;
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (take(number, pbf_wire_type::varint))
        member = scalar<T>(reader.get_uint64(), name);
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (take(number, pbf_wire_type::length_delimited))
        member = fromUtf8(view());
    } else {
      if (take(number, pbf_wire_type::length_delimited))
        message(number, 0, member);
    }
  }

  template <typename T>
  void operator()(uint32_t number, llvm::StringLiteral name,
                  std::vector<T> &member) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (take(number, pbf_wire_type::varint)) {
        charge(sizeof(T));
        member.push_back(scalar<T>(reader.get_uint64(), name));
      } else if (take(number, pbf_wire_type::length_delimited)) {
        for (uint64_t value : reader.get_packed_uint64()) {
          charge(sizeof(T));
          member.push_back(scalar<T>(value, name));
        }
      }
    } else if (take(number, pbf_wire_type::length_delimited)) {
      charge(sizeof(T));
      if constexpr (std::is_same_v<T, std::string>) {
        member.push_back(fromUtf8(view()));
      } else {
        // Absent fields of a new element have the defaults of proto3.
        member.emplace_back();
        typename WireOf<T>::type wire;
        FieldClearer::clear(wire);
        message(number, uint32_t(member.size() - 1), member.back(), wire);
      }
    }
  }

  void bytes(uint32_t number, llvm::StringLiteral, std::string &member) {
    if (take(number, pbf_wire_type::length_delimited))
      member = view().str();
  }
  void zigzag(uint32_t number, llvm::StringLiteral,
              std::vector<int64_t> &member) {
    if (take(number, pbf_wire_type::varint)) {
      charge(sizeof(int64_t));
      member.push_back(reader.get_sint64());
    } else if (take(number, pbf_wire_type::length_delimited)) {
      for (int64_t value : reader.get_packed_sint64()) {
        charge(sizeof(int64_t));
        member.push_back(value);
      }
    }
  }

  template <typename T>
  void plusOne(uint32_t number, llvm::StringLiteral name, T &member) {
    if (take(number, pbf_wire_type::varint) &&
        !fromPlusOne(reader.get_uint64(), member))
      problem(name, "is too large");
  }

  /// Reads all fields of `reader` into `value`.
  template <typename T>
  static void fields(ReaderState &state, ProtoReader reader, T &value) {
    std::string unknown;
    while (state.problem.empty()) {
      const char *begin = reader.data().data();
      if (!reader.next())
        break;
      FieldReader field(state, reader);
      Fields<T>::visit(field, value);
      if (field.isHandled())
        continue;
      reader.skip();
      unknown.append(begin, reader.data().data());
    }
    if (unknown.empty())
      return;
    // A map node, the path, and the same again in the profile.
    if (!state.budget.charge(256 + 8 * state.path.size()))
      throw TooLarge();
    state.unknown[{state.path.begin(), state.path.end()}] += unknown;
  }

private:
  void charge(uint64_t bytes) {
    if (!state.budget.charge(bytes))
      throw TooLarge();
  }

  bool take(uint32_t number, pbf_wire_type type) {
    if (handled || reader.tag() != number || reader.wire_type() != type)
      return false;
    return handled = true;
  }

  llvm::StringRef view() {
    protozero::data_view bytes = reader.get_view();
    return {bytes.data(), bytes.size()};
  }

  template <typename T>
  T scalar(uint64_t value, llvm::StringLiteral name) {
    if (sizeof(T) < sizeof(uint64_t) && value > std::numeric_limits<T>::max())
      problem(name, "is too large");
    return T(value);
  }

  /// Unnamed values come from a newer version and are kept.
  template <typename T>
  T enumeration(uint64_t value, llvm::StringLiteral name) {
    if (value > std::numeric_limits<std::underlying_type_t<T>>::max())
      problem(name, "is too large");
    return T(value);
  }

  void problem(llvm::StringLiteral name, llvm::StringLiteral what) {
    if (state.problem.empty())
      state.problem = ("field " + name + " " + what).str();
  }

  template <typename T>
  void message(uint32_t number, uint32_t index, T &value) {
    if constexpr (std::is_same_v<typename WireOf<T>::type, T>) {
      readMessage(number, index, value);
    } else {
      typename WireOf<T>::type wire = toWire(value);
      message(number, index, value, wire);
    }
  }

  /// Reads into `wire`, which is converted to `value`.
  template <typename T, typename Wire>
  void message(uint32_t number, uint32_t index, T &value, Wire &wire) {
    readMessage(number, index, wire);
    if constexpr (std::is_same_v<Wire, T>)
      value = std::move(wire);
    else if constexpr (std::is_same_v<T, OpKey>)
      fromWire(std::move(wire), value);
    else if (!fromWire(std::move(wire), value) && state.problem.empty())
      state.problem = "a histogram has too many buckets";
  }

  template <typename T>
  void readMessage(uint32_t number, uint32_t index, T &value) {
    if (state.path.size() >= 2 * kMaxDepth) {
      state.problem = "messages nest too deep";
      return;
    }
    state.path.append({number, index});
    fields(state, reader.get_message(), value);
    state.path.pop_back_n(2);
  }

  ReaderState &state;
  ProtoReader &reader;
  bool handled = false;
};

} // namespace

/// Reads `bytes`, all fields of `message`. Returns a description of the
/// problem, or "".
template <typename T>
static std::string readMessage(llvm::StringRef bytes, ReaderState &state,
                               T &message) {
  try {
    FieldReader::fields(state, ProtoReader(bytes.data(), bytes.size()),
                        message);
  } catch (const protozero::exception &exception) {
    return std::string("malformed protobuf (") + exception.what() + ")";
  } catch (const TooLarge &) {
    return "its elements need more than " +
           std::to_string(state.budget.getLimit()) +
           " bytes of memory, far more than their size in the file";
  } catch (const std::exception &) {
    return "needs more memory than is available";
  }
  return state.problem;
}

std::string schema::readProto(llvm::StringRef bytes, Program &program,
                              MemoryBudget &budget) {
  ReaderState state(budget);
  return readMessage(bytes, state, program);
}

KeyRecord schema::readKeyRecord(llvm::StringRef bytes) {
  KeyRecord record;
  FieldClearer::clear(record);
  // It was read before, of a file that paid for it.
  MemoryBudget budget(std::numeric_limits<uint64_t>::max());
  ReaderState state(budget);
  (void)readMessage(bytes, state, record);
  return record;
}

std::string schema::readProto(llvm::StringRef bytes,
                              Document<Profile> &document,
                              MemoryBudget &budget) {
  ReaderState state(budget);
  std::string problem = readMessage(bytes, state, document);
  if (!problem.empty())
    return problem;
  std::vector<UnknownFields> &all = document.profile.unknownFields;
  for (auto &[path, fields] : state.unknown) {
    // Every section is a piece of the outermost message.
    if (path.empty() && !all.empty() && all.front().path.empty())
      all.front().fields += fields;
    else
      all.insert(path.empty() ? all.begin() : all.end(), {path, fields});
  }
  return "";
}

bool schema::isProto(llvm::StringRef bytes) {
  try {
    ProtoReader reader(bytes.data(), bytes.size());
    while (reader.next())
      reader.skip();
    return true;
  } catch (const protozero::exception &) {
    return false;
  }
}
