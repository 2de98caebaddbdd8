//===- DecisionFields.cpp - Fields of entries of a database ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionFields.h"
#include "llvm/ADT/StringExtras.h"

#include <functional>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::tuning;

namespace {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

enum class Presence : uint8_t { Required, Optional };

/// A member of an object: takes its value, or reports that it cannot.
struct Field {
  llvm::StringRef name;
  std::function<bool(Element)> take;
  Presence presence = Presence::Required;
};

} // namespace

static bool takeString(Element element, std::string &out) {
  std::string_view text;
  if (element.get(text) || text.size() > DecisionLimits::kStringBytes)
    return false;
  out = std::string(text);
  return true;
}

/// Integers of 64 bits are strings in JSON, and here only in canonical form: a
/// database is equal to its file.
static bool takeInteger(Element element, int64_t &out) {
  std::string text;
  return takeString(element, text) && llvm::to_integer(text, out, 10) &&
         std::to_string(out) == text;
}

static bool takeDouble(Element element, double &out) {
  return !element.get(out);
}

static bool takeDouble(Element element, std::optional<double> &out) {
  return takeDouble(element, out.emplace());
}

/// The current names of members and values that files up to version 2 spell
/// differently.
static llvm::StringRef getCurrentName(llvm::StringRef name) {
  if (name == "format")
    return "schema";
  return name == "neighbourhood" ? "neighborhood" : name;
}

template <typename Enum>
static bool takeEnum(Element element, Enum &out,
                     std::initializer_list<Enum> values) {
  std::string_view text;
  if (element.get(text))
    return false;
  for (Enum value : values)
    if (getName(value) == getCurrentName({text.data(), text.size()})) {
      out = value;
      return true;
    }
  return false;
}

static bool takeChoice(Element element, Choice &choice) {
  Object object;
  if (element.get(object))
    return false;
  for (simdjson::dom::key_value_pair pair : object) {
    std::string value;
    if (choice.size() == DecisionLimits::kParameters ||
        !takeString(pair.value, value) ||
        !choice.try_emplace(std::string(pair.key), value).second)
      return false;
  }
  return true;
}

/// Sizes are written as formatSizes formats each combination, "4x8".
static bool takeSizes(Element element, MeasuredSizes &sizes) {
  Array array;
  if (element.get(array))
    return false;
  for (Element entry : array) {
    std::string text;
    if (sizes.size() == DecisionLimits::kSizes || !takeString(entry, text))
      return false;
    std::vector<int64_t> &combination = sizes.emplace_back();
    for (llvm::StringRef part : llvm::split(text, 'x'))
      if (!llvm::to_integer(part, combination.emplace_back(), 10))
        return false;
    if (formatSizes({combination}) != text)
      return false;
  }
  return true;
}

/// Passes each member of `object` to its field; returns the error, or "". An
/// unknown member would be lost when the file is written again.
static std::string readObject(const Object &object,
                              llvm::ArrayRef<Field> fields) {
  uint64_t seen = 0;
  for (simdjson::dom::key_value_pair pair : object) {
    llvm::StringRef key = getCurrentName({pair.key.data(), pair.key.size()});
    const auto *field =
        llvm::find_if(fields, [&](const Field &f) { return f.name == key; });
    if (field == fields.end())
      return "has an unknown member";
    uint64_t bit = uint64_t(1) << (field - fields.begin());
    if (seen & bit)
      return ("holds \"" + key + "\" twice").str();
    seen |= bit;
    if (!field->take(pair.value))
      return ("\"" + key + "\" is malformed").str();
  }
  for (const auto &[index, field] : llvm::enumerate(fields))
    if (field.presence == Presence::Required && !(seen >> index & 1))
      return ("\"" + field.name + "\" is missing").str();
  return "";
}

static std::vector<Field> keyFields(DecisionKey &key) {
  auto text = [](llvm::StringRef name, std::string &out) {
    return Field{name, [&out](Element e) { return takeString(e, out); }};
  };
  return {text("exact", key.signature.exact),
          text("shapeErased", key.signature.shapeErased),
          text("neighborhood", key.signature.neighborhood),
          text("machine", key.machine), text("technique", key.technique)};
}

std::string tuning::readDecision(const Object &object, Decision &d) {
  std::vector<Field> fields = keyFields(d.key);
  using Scope = DecisionScope;
  using Basis = DecisionBasis;
  fields.insert(
      fields.end(),
      {{"scope",
        [&](Element e) {
          return takeEnum(e, d.scope, {Scope::Op, Scope::Neighborhood});
        }},
       {"choice", [&](Element e) { return takeChoice(e, d.choice); }},
       {"basis",
        [&](Element e) {
          return takeEnum(e, d.basis,
                          {Basis::Measured, Basis::Inferred, Basis::Given});
        }},
       {"whenMs", [&](Element e) { return takeInteger(e, d.whenMs); }},
       {"producer", [&](Element e) { return takeString(e, d.producer); }},
       {"label", [&](Element e) { return takeString(e, d.label); }}});
  return readObject(object, fields);
}

static bool takeCount(Element element, uint32_t &out) {
  uint64_t value;
  if (element.get(value) || value > std::numeric_limits<uint32_t>::max())
    return false;
  out = uint32_t(value);
  return true;
}

std::string tuning::readObservation(const Object &object, Observation &o) {
  std::vector<Field> fields = keyFields(o.key);
  fields.insert(
      fields.end(),
      {{"choice", [&](Element e) { return takeChoice(e, o.choice); }},
       {"whenMs", [&](Element e) { return takeInteger(e, o.whenMs); }},
       {"producer", [&](Element e) { return takeString(e, o.producer); }},
       {"outcome",
        [&](Element e) {
          return takeEnum(e, o.outcome,
                          {Outcome::Kept, Outcome::Rejected, Outcome::Failed});
        }},
       {"reason", [&](Element e) { return takeString(e, o.reason); }},
       {"oldPs", [&](Element e) { return takeInteger(e, o.oldPs); }},
       {"newPs", [&](Element e) { return takeInteger(e, o.newPs); }},
       {"spread", [&](Element e) { return takeDouble(e, o.spread); }},
       {"rounds", [&](Element e) { return takeCount(e, o.rounds); }},
       {"probability", [&](Element e) { return takeDouble(e, o.probability); },
        Presence::Optional},
       {"error", [&](Element e) { return takeDouble(e, o.error); },
        Presence::Optional},
       {"sizes", [&](Element e) { return takeSizes(e, o.sizes); },
        Presence::Optional}});
  return readObject(object, fields);
}

std::string tuning::checkMembers(const Object &object,
                                 llvm::ArrayRef<llvm::StringRef> names) {
  std::vector<Field> fields;
  for (llvm::StringRef name : names)
    fields.push_back({name, [](Element) { return true; }});
  return readObject(object, fields);
}
