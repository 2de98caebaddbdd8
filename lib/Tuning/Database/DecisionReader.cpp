//===- DecisionReader.cpp - Reading decisions -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionReader.h"
#include "DecisionFields.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::tuning;

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

/// All that can be read; the newest is kDecisionsSchema.
static constexpr llvm::StringLiteral kSchemas[] = {
    "mlir-prof.decisions/1", "mlir-prof.decisions/2", kDecisionsSchema};
static constexpr llvm::StringLiteral kDamagedHint =
    "The file is damaged: restore it from a copy, or remove it and measure "
    "again.";

/// Fails with a hint on a text that is not a database, or a newer one.
static llvm::Error checkSchema(llvm::StringRef where, const Object &top) {
  std::string_view schema;
  // Until version 2 the key was "format".
  if (top.at_key("schema").get(schema) && top.at_key("format").get(schema))
    return inputError(where,
                      "this is not a database of decisions: it does not have "
                      "a \"schema\"",
                      "Name another file, or remove this one.");
  llvm::StringRef found(schema.data(), schema.size());
  if (llvm::is_contained(kSchemas, found))
    return llvm::Error::success();
  if (found.rsplit('/').first != kDecisionsSchema.rsplit('/').first)
    return inputError(where, "this is not a database of decisions",
                      "Name another file, or remove this one.");
  return inputError(where,
                    "its schema \"" + found.take_front(64) +
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
    return inputError(where + ": " + name + place, what, kDamagedHint);
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

/// Reads both lists of `top` into `database`.
static llvm::Error readLists(llvm::StringRef where, const Object &top,
                             DecisionDatabase &database) {
  auto decide = [&](Decision decision) -> llvm::Error {
    if (database.getDecisions().count(decision.key))
      return inputError(where, "has the key of another entry");
    return database.decide(std::move(decision));
  };
  auto observe = [&](Observation observation) {
    return database.observe(std::move(observation));
  };
  if (llvm::Error error =
          readList<Decision>(where, top, "decisions", readDecision, decide))
    return error;
  return readList<Observation>(where, top, "observations", readObservation,
                               observe);
}

llvm::Expected<DecisionDatabase> tuning::parseDecisions(llvm::StringRef text,
                                                        llvm::StringRef where) {
  if (text.size() > DecisionLimits::kFileBytes)
    return inputError(where, "is too large for a database of decisions",
                      "Name another file, or remove this one.");
  if (text.trim().empty())
    return inputError(where, "is empty", kDamagedHint);
  simdjson::dom::parser parser;
  simdjson::simdjson_result<Element> parsed =
      parser.parse(text.data(), text.size());
  if (parsed.error())
    return inputError(where,
                      llvm::Twine("is not valid JSON: ") +
                          simdjson::error_message(parsed.error()),
                      kDamagedHint);
  Object top;
  if (parsed.get(top))
    return inputError(where, "is not a JSON object", kDamagedHint);
  if (llvm::Error error = checkSchema(where, top))
    return std::move(error);
  std::string wrong =
      checkMembers(top, {"schema", "decisions", "observations"});
  if (!wrong.empty())
    return inputError(where, wrong, kDamagedHint);
  DecisionDatabase database;
  if (llvm::Error error = readLists(where, top, database))
    return std::move(error);
  return database;
}
