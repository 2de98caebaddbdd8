//===- JsonReader.cpp - Reading a profile from JSON -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/MemoryBudget.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

#include <simdjson.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
namespace dom = simdjson::dom;

bool profile::isProfileJson(llvm::StringRef bytes) {
  auto take = [&](llvm::StringRef token) {
    bytes = bytes.ltrim(" \t\r\n");
    return bytes.consume_front(token);
  };
  bytes.consume_front("\xEF\xBB\xBF");
  return take("{") && take("\"schema\"") && take(":") &&
         take("\"mlir-prof.profile/");
}

/// Whether a JSON key is the field `name`: in lowerCamelCase or as in the
/// .proto, both of which proto3 allows.
static bool isKeyOf(llvm::StringRef key, llvm::StringRef name) {
  if (key == name)
    return true;
  size_t at = 0;
  for (size_t i = 0; i != name.size(); ++i, ++at) {
    bool isBreak = name[i] == '_' && i + 1 != name.size();
    char expected = isBreak ? llvm::toUpper(name[++i]) : name[i];
    if (at >= key.size() || key[at] != expected)
      return false;
  }
  return at == key.size();
}

namespace {

/// The nesting depth, the first error, and the keys leading to it.
struct JsonState {
  explicit JsonState(MemoryBudget memory) : memory(memory) {}

  MemoryBudget memory;
  unsigned depth = 0;
  std::string problem;
  std::string path;
};

/// Reads one key and its value into the member of that name.
class JsonFieldReader {
public:
  [[maybe_unused]] static constexpr bool kIsJson = true;

  JsonFieldReader(JsonState &state, llvm::StringRef key, dom::element json)
      : state(state), key(key), json(json) {}

  template <typename T>
  void operator()(uint32_t, llvm::StringLiteral name, T &member) {
    if (take(name))
      value(json, member);
  }

  template <typename T>
  void operator()(uint32_t, llvm::StringLiteral name, std::vector<T> &member) {
    if (!take(name))
      return;
    dom::array elements;
    if (json.get(elements))
      return problem("must be an array");
    member.clear();
    for (dom::element element : elements) {
      if (!state.problem.empty())
        return;
      if (!state.memory.charge(sizeof(T)))
        return problem("needs far more memory than its text");
      T next{};
      value(element, next);
      member.push_back(std::move(next));
    }
  }

  void bytes(uint32_t, llvm::StringLiteral name, std::string &member) {
    if (!take(name))
      return;
    std::string_view text;
    std::vector<char> decoded;
    if (json.get(text))
      return problem("must be a string of base64");
    if (llvm::Error error =
            llvm::decodeBase64(llvm::StringRef(text), decoded)) {
      llvm::consumeError(std::move(error));
      return problem("is not base64");
    }
    member.assign(decoded.begin(), decoded.end());
  }
  void zigzag(uint32_t number, llvm::StringLiteral name,
              std::vector<int64_t> &member) {
    (*this)(number, name, member);
  }

  template <typename T>
  void plusOne(uint32_t, llvm::StringLiteral name, T &member) {
    if (!take(name))
      return;
    uint64_t wire = 0;
    integer(json, wire);
    if (!fromPlusOne(wire, member))
      problem("is too large");
  }

  /// Reads the object `json` into `message`; unknown keys are errors, since a
  /// misspelled one would be lost silently.
  template <typename T>
  static void fields(JsonState &state, dom::element json, T &message) {
    dom::object object;
    if (json.get(object)) {
      setProblem(state, "must be an object");
      return;
    }
    for (dom::key_value_pair field : object) {
      if (!state.problem.empty())
        return;
      // In proto3's JSON null stands for an absent field.
      JsonFieldReader reader(state, llvm::StringRef(field.key), field.value);
      if (!field.value.is_null())
        Fields<T>::visit(reader, message);
      if (!reader.handled && !field.value.is_null())
        setProblem(state, "is unknown");
      if (!state.problem.empty()) {
        state.path.insert(0, "." + std::string(field.key));
        return;
      }
    }
  }

private:
  bool take(llvm::StringLiteral name) {
    if (handled || !isKeyOf(key, name))
      return false;
    return handled = true;
  }

  static void setProblem(JsonState &state, llvm::StringRef what) {
    if (state.problem.empty())
      state.problem = what.str();
  }
  void problem(llvm::StringRef what) { setProblem(state, what); }

  template <typename T>
  void value(dom::element element, T &member) {
    if constexpr (std::is_enum_v<T>) {
      enumeration(element, member);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (element.get(member))
        problem("must be true or false");
    } else if constexpr (std::is_arithmetic_v<T>) {
      integer(element, member);
    } else if constexpr (std::is_same_v<T, std::string>) {
      std::string_view text;
      if (element.get(text))
        return problem("must be a string");
      member = fromUtf8(llvm::StringRef(text));
    } else if constexpr (std::is_same_v<typename WireOf<T>::type, T>) {
      if (++state.depth > kMaxDepth)
        return problem("nests too deep");
      FieldClearer::clear(member);
      fields(state, element, member);
      --state.depth;
    } else {
      typename WireOf<T>::type wire;
      value(element, wire);
      if (!state.problem.empty())
        return;
      if constexpr (std::is_same_v<T, OpKey>)
        fromWire(std::move(wire), member);
      else if (!fromWire(std::move(wire), member))
        problem("has too many buckets");
    }
  }

  /// An integer may be a number or, as proto3 writes 64-bit integers, a string
  /// of decimal digits.
  template <typename T>
  void integer(dom::element element, T &member) {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    Wide wide = 0;
    std::string_view text;
    if (!element.get(text)) {
      if (llvm::StringRef(text).getAsInteger(10, wide))
        return problem("is not an integer of its type");
    } else if (element.get(wide)) {
      return problem("must be an integer");
    }
    if (wide > Wide(std::numeric_limits<T>::max()))
      return problem("is too large");
    member = T(wide);
  }

  template <typename T>
  void enumeration(dom::element element, T &member) {
    std::string_view text;
    if (element.get(text)) {
      std::underlying_type_t<T> number = 0;
      integer(element, number);
      member = T(number);
      return;
    }
    const auto &names = EnumNames<T>::names;
    for (size_t i = 0; i != names.size(); ++i) {
      if (names[i] == llvm::StringRef(text)) {
        member = T(i);
        return;
      }
    }
    problem("does not have a value of that name");
  }

  JsonState &state;
  llvm::StringRef key;
  dom::element json;
  bool handled = false;
};

} // namespace

/// Checks that the unknown fields, which are raw protobuf, are at their stated
/// places and do not change known ones: writing and reading must restore the
/// same profile.
static llvm::Error checkUnknownFields(const Profile &profile,
                                      llvm::StringRef where) {
  std::string bytes, again;
  llvm::raw_string_ostream os(bytes), againOs(again);
  if (llvm::Error error = writeProfile(profile, os))
    return error;
  llvm::Expected<Profile> reread = readProfile(bytes, where);
  if (!reread)
    return reread.takeError();
  if (llvm::Error error = writeProfile(*reread, againOs))
    return error;
  if (bytes == again &&
      reread->unknownFields.size() == profile.unknownFields.size())
    return llvm::Error::success();
  return inputError(where, "unknownFields do not fit the profile",
                    "Compare with docs/file-format.md.");
}

llvm::Expected<Profile> profile::readProfileJson(llvm::StringRef bytes,
                                                 llvm::StringRef where) {
  bytes.consume_front("\xEF\xBB\xBF");
  dom::parser parser;
  dom::element root;
  if (simdjson::error_code code =
          parser.parse(bytes.data(), bytes.size()).get(root))
    return inputError(
        where, llvm::Twine("malformed JSON: ") + simdjson::error_message(code),
        "The file is damaged or truncated; write it again.");
  Profile profile;
  Document<Profile> document(profile);
  JsonState state(MemoryBudget(kMinMemory, bytes.size()));
  JsonFieldReader::fields(state, root, document);
  if (!state.problem.empty())
    return inputError(
        where,
        "not a valid profile: " +
            (state.path.empty() ? "the document" : state.path.substr(1)) + " " +
            state.problem,
        document.minor > Profile::kMinor
            ? "A newer mlir-prof wrote it: use that, or its "
              "binary form."
            : "Compare with docs/file-format.md.");
  if (document.minor > std::numeric_limits<uint16_t>::max())
    return inputError(where, "minor is too large",
                      "Compare with docs/file-format.md.");
  profile.minor = uint16_t(document.minor);
  if (llvm::Error error = completeProfile(document, state.memory, where))
    return std::move(error);
  if (!profile.unknownFields.empty())
    if (llvm::Error error = checkUnknownFields(profile, where))
      return std::move(error);
  return std::move(profile);
}
