//===- JsonWriter.cpp - Writing a profile as JSON -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

/// "op_name" -> "opName".
static std::string toJsonName(llvm::StringRef name) {
  std::string result;
  for (size_t i = 0; i != name.size(); ++i)
    result += name[i] == '_' && i + 1 != name.size() ? llvm::toUpper(name[++i])
                                                     : name[i];
  return result;
}

namespace {

/// Writes the fields of one message as attributes of the open object. Zeros and
/// empty strings are left out, as in protobuf.
class JsonFieldWriter {
public:
  [[maybe_unused]] static constexpr bool kIsJson = true;

  explicit JsonFieldWriter(llvm::json::OStream &json) : json(json) {}

  template <typename T>
  void operator()(uint32_t, llvm::StringLiteral name, const T &member) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (member == T())
        return;
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (member.empty())
        return;
    }
    json.attributeBegin(toJsonName(name));
    value(member);
    json.attributeEnd();
  }

  template <typename T>
  void operator()(uint32_t, llvm::StringLiteral name,
                  const std::vector<T> &members) {
    if (members.empty())
      return;
    json.attributeBegin(toJsonName(name));
    json.arrayBegin();
    for (const T &member : members)
      value(member);
    json.arrayEnd();
    json.attributeEnd();
  }

  void bytes(uint32_t, llvm::StringLiteral name, const std::string &member) {
    if (!member.empty())
      json.attribute(toJsonName(name), llvm::encodeBase64(member));
  }
  void zigzag(uint32_t number, llvm::StringLiteral name,
              const std::vector<int64_t> &members) {
    (*this)(number, name, members);
  }

  template <typename T>
  void plusOne(uint32_t, llvm::StringLiteral name, T member) {
    uint64_t wire = toPlusOne(member);
    if (wire == 0)
      return;
    json.attributeBegin(toJsonName(name));
    // As proto3 encodes uint64 and uint32.
    if constexpr (sizeof(T) == 8)
      value(wire);
    else
      value(uint32_t(wire));
    json.attributeEnd();
  }

  template <typename T>
  void value(const T &member) {
    if constexpr (std::is_enum_v<T>) {
      size_t number = size_t(member);
      const auto &names = EnumNames<T>::names;
      if (number < names.size())
        json.value(names[number]);
      else
        json.value(int64_t(number));
    } else if constexpr (std::is_same_v<T, bool>) {
      json.value(member);
    } else if constexpr (std::is_arithmetic_v<T>) {
      // Numbers of 64 bits do not survive JSON parsers that use doubles.
      if constexpr (sizeof(T) == 8)
        json.value(std::to_string(member));
      else
        json.value(int64_t(member));
    } else if constexpr (std::is_same_v<T, std::string>) {
      json.value(toUtf8(member));
    } else if constexpr (std::is_same_v<typename WireOf<T>::type, T>) {
      json.objectBegin();
      Fields<T>::visit(*this, member);
      json.objectEnd();
    } else {
      value(toWire(member));
    }
  }

private:
  llvm::json::OStream &json;
};

} // namespace

void profile::writeProfileJson(const Profile &profile, llvm::raw_ostream &os) {
  Document<const Profile> document(profile);
  document.schema = kSchema;
  document.minor = profile.minor;
  for (uint32_t i = 0; i != profile.runs.size(); ++i)
    for (size_t begin = 0; begin < profile.runs[i].kept.size();
         begin += kEventsPerBlock)
      document.keptEvents.push_back(makeEventBlock(profile.runs[i], i, begin));
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    if (!profile.runs[i].scopes)
      continue;
    const scope::Recording &scopes = *profile.runs[i].scopes;
    document.scopes.records.push_back(makeScopeRecord(scopes, i));
    for (size_t begin = 0; begin < scopes.events.size();
         begin += kEventsPerBlock)
      document.scopes.events.push_back(makeScopeBlock(scopes, i, begin));
    for (size_t begin = 0; begin < scopes.memory.size();
         begin += kEventsPerBlock)
      document.scopes.memory.push_back(makeMemoryBlock(scopes, i, begin));
    for (size_t begin = 0; begin < scopes.counts.size();
         begin += kEventsPerBlock)
      document.scopes.counts.push_back(makeCountBlock(scopes, i, begin));
  }
  for (uint32_t i = 0; i != profile.runs.size(); ++i)
    if (profile.runs[i].job)
      document.jobs.push_back({i, *profile.runs[i].job});
  llvm::json::OStream json(os, /*IndentSize=*/1);
  JsonFieldWriter(json).value(document);
  os << '\n';
}
