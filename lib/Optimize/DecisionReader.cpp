//===- DecisionReader.cpp - Reading decisions -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/DecisionDatabase.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <functional>
#include <limits>
#include <simdjson.h>

using namespace mlirprof;

namespace {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

enum class Presence : uint8_t { Required, Optional };

/// A member of an object: takes its value, or says that it cannot.
struct Field {
  llvm::StringRef name;
  std::function<bool(Element)> take;
  Presence presence = Presence::Required;
};

} // namespace

static bool takeString(Element element, std::string &out) {
  std::string_view text;
  if (element.get(text) || text.size() > DecisionDatabase::kMaxStringBytes)
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

template <typename Enum>
static bool takeEnum(Element element, Enum &out,
                     std::initializer_list<Enum> values) {
  std::string_view text;
  if (element.get(text))
    return false;
  for (Enum value : values)
    if (getName(value) == llvm::StringRef(text.data(), text.size())) {
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
    if (choice.size() == DecisionDatabase::kMaxChoiceEntries ||
        !takeString(pair.value, value) ||
        !choice.try_emplace(std::string(pair.key), value).second)
      return false;
  }
  return true;
}

/// Sizes are as formatSizes writes each combination, "4x8".
static bool takeSizes(Element element, MeasuredSizes &sizes) {
  Array array;
  if (element.get(array))
    return false;
  for (Element entry : array) {
    std::string text;
    if (sizes.size() == DecisionDatabase::kMaxSizes || !takeString(entry, text))
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

/// Hands each member of `object` to its field; what is wrong, or "". A member
/// that is not known would be lost when the file is written again.
static std::string readObject(const Object &object,
                              llvm::ArrayRef<Field> fields) {
  uint64_t seen = 0;
  for (simdjson::dom::key_value_pair pair : object) {
    llvm::StringRef key(pair.key.data(), pair.key.size());
    const auto *field =
        llvm::find_if(fields, [&](const Field &f) { return f.name == key; });
    if (field == fields.end())
      return "holds a member that is not known";
    uint64_t bit = uint64_t(1) << (field - fields.begin());
    if (seen & bit)
      return ("holds \"" + key + "\" twice").str();
    seen |= bit;
    if (!field->take(pair.value))
      return ("\"" + key + "\" is not what it should be").str();
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
          text("neighbourhood", key.signature.neighbourhood),
          text("machine", key.machine), text("technique", key.technique)};
}

static std::string readDecision(const Object &object, Decision &d) {
  std::vector<Field> fields = keyFields(d.key);
  using Scope = DecisionScope;
  using Basis = DecisionBasis;
  fields.insert(
      fields.end(),
      {{"scope",
        [&](Element e) {
          return takeEnum(e, d.scope, {Scope::Op, Scope::Neighbourhood});
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

static std::string readObservation(const Object &object, Observation &o) {
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

/// The format of a text that is no database of ours says what to do.
static llvm::Error checkFormat(llvm::StringRef where, const Object &top) {
  std::string_view format;
  llvm::StringRef prefix = DecisionDatabase::kFormat.rsplit('/').first;
  if (top.at_key("format").get(format))
    return inputError(where,
                      "this is no database of decisions: it has no "
                      "\"format\"",
                      "Name another file, or remove this one.");
  llvm::StringRef found(format.data(), format.size());
  if (llvm::is_contained(DecisionDatabase::kFormats, found))
    return llvm::Error::success();
  if (found.rsplit('/').first != prefix)
    return inputError(where, "this is no database of decisions",
                      "Name another file, or remove this one.");
  return inputError(where,
                    "its format \"" + found.take_front(64) +
                        "\" is not known to this version of mlir-prof",
                    "Use the version that wrote it, or name another file; "
                    "this one is left as it is.");
}

/// Reads each entry of `element` by `read` and adds it by `add`.
template <typename Entry>
static llvm::Error readList(llvm::StringRef where, const Object &top,
                            llvm::StringRef name,
                            std::string (*read)(const Object &, Entry &),
                            llvm::function_ref<llvm::Error(Entry)> add) {
  auto fail = [&](const llvm::Twine &place, const llvm::Twine &what) {
    return inputError(where + ": " + name + place, what,
                      "The file is damaged: restore it from a copy, or remove "
                      "it and measure again.");
  };
  Array array;
  if (top.at_key(std::string_view(name.data(), name.size())).get(array))
    return fail("", "is missing or not a list");
  size_t index = 0;
  for (Element element : array) {
    llvm::Twine number(index);
    std::string place = ("[" + number + "]").str();
    ++index;
    Object object;
    if (element.get(object))
      return fail(place, "is not an object");
    Entry entry;
    std::string wrong = read(object, entry);
    if (!wrong.empty())
      return fail(place, wrong);
    if (llvm::Error error = add(std::move(entry))) {
      std::string what;
      llvm::handleAllErrors(std::move(error), [&](const InputError &e) {
        what = e.getWhat().str();
      });
      return fail(place, what);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<DecisionDatabase>
DecisionDatabase::parse(llvm::StringRef text, llvm::StringRef where) {
  llvm::StringRef hint = "The file is damaged: restore it from a copy, or "
                         "remove it and measure again.";
  if (text.size() > kMaxFileBytes)
    return inputError(where, "is too large for a database of decisions",
                      "Name another file, or remove this one.");
  if (text.trim().empty())
    return inputError(where, "is empty", hint);
  simdjson::dom::parser parser;
  Object top;
  simdjson::simdjson_result<Element> parsed =
      parser.parse(text.data(), text.size());
  if (parsed.error())
    return inputError(where,
                      llvm::Twine("is not valid JSON: ") +
                          simdjson::error_message(parsed.error()),
                      hint);
  if (parsed.get(top))
    return inputError(where, "is not a JSON object", hint);
  if (llvm::Error error = checkFormat(where, top))
    return error;
  DecisionDatabase database;
  auto any = [](Element) { return true; };
  std::string wrong = readObject(
      top, {{"format", any}, {"decisions", any}, {"observations", any}});
  if (!wrong.empty())
    return inputError(where, wrong, hint);
  auto decide = [&](Decision decision) -> llvm::Error {
    if (database.decisions.count(decision.key))
      return inputError(where, "decides what another entry decides");
    return database.decide(std::move(decision));
  };
  if (llvm::Error error =
          readList<Decision>(where, top, "decisions", readDecision, decide))
    return error;
  auto observe = [&](Observation observation) {
    return database.observe(std::move(observation));
  };
  if (llvm::Error error = readList<Observation>(where, top, "observations",
                                                readObservation, observe))
    return error;
  return database;
}

llvm::Expected<DecisionDatabase> DecisionDatabase::load(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return DecisionDatabase();
  uint64_t size = 0;
  if (!llvm::sys::fs::is_directory(path) &&
      !llvm::sys::fs::file_size(path, size) && size == 0)
    return parse("", path);
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return parse((*buffer)->getBuffer(), path);
}
