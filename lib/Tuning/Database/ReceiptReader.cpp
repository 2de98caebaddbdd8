//===- ReceiptReader.cpp - Reading trials ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/ReceiptReader.h"
#include "DecisionFields.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Tuning/DecisionReader.h"
#include "llvm/Support/FileSystem.h"

using namespace mlirprof;
using namespace mlirprof::tuning;

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

static constexpr llvm::StringLiteral kReceipts = "mlir-prof.receipts/";
static constexpr llvm::StringLiteral kCurrent = "mlir-prof.receipts/2";
static constexpr llvm::StringLiteral kDecisions = "mlir-prof.decisions/";

/// Adds the observation of the receipt `element`. Returns its fault, or "". A
/// trial that the machine was too busy for has null for an observation.
static std::string addReceipt(Element element, DecisionDatabase &database) {
  Element observed;
  if (element.at_key("observation").get(observed))
    return "lacks \"observation\"";
  if (observed.is_null())
    return "";
  Object object;
  if (observed.get(object))
    return "\"observation\" is not an object";
  Observation observation;
  std::string wrong = readObservation(object, observation);
  if (!wrong.empty())
    return "\"observation\": " + wrong;
  std::string what;
  llvm::handleAllErrors(
      database.observe(std::move(observation)),
      [&](const InputError &error) { what = error.getWhat().str(); });
  return what;
}

static llvm::Expected<DecisionDatabase> readReceipts(const Object &top,
                                                     llvm::StringRef where) {
  llvm::StringRef hint =
      "Take the --decisions of that search, or run mlir-prof optimize again.";
  Array receipts;
  if (top.at_key("receipts").get(receipts))
    return inputError(where, "\"receipts\" is missing or not a list", hint);
  DecisionDatabase database;
  size_t index = 0;
  for (Element receipt : receipts) {
    std::string wrong = addReceipt(receipt, database);
    if (!wrong.empty())
      return inputError(where + ": receipts[" + llvm::Twine(index) + "]", wrong,
                        hint);
    ++index;
  }
  return database;
}

llvm::Expected<DecisionDatabase> tuning::parseTrials(llvm::StringRef text,
                                                     llvm::StringRef where) {
  simdjson::dom::parser parser;
  Object top;
  // The reader of decisions reports the errors of other texts.
  if (text.size() > DecisionLimits::kFileBytes || text.trim().empty() ||
      parser.parse(text.data(), text.size()).get(top))
    return parseDecisions(text, where);
  std::string_view schema;
  // Early decisions have "format" instead.
  if (top.at_key("schema").get(schema) && top.at_key("format").get(schema))
    schema = "";
  llvm::StringRef found(schema.data(), schema.size());
  if (found == kCurrent)
    return readReceipts(top, where);
  if (found.starts_with(kDecisions))
    return parseDecisions(text, where);
  if (found.starts_with(kReceipts))
    return inputError(where,
                      "its schema \"" + found.take_front(64) +
                          "\" is not known to this version of mlir-prof",
                      "Use the version that wrote it.");
  return inputError(where, "has neither decisions nor receipts",
                    "mlir-prof optimize writes them: --decisions=FILE, "
                    "--receipts=FILE.");
}

llvm::Expected<DecisionDatabase> tuning::loadTrials(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return inputError(path, "does not exist",
                      "mlir-prof optimize writes decisions (--decisions=FILE) "
                      "and receipts (--receipts=FILE).");
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return unlessChanged(**buffer, parseTrials((*buffer)->getBuffer(), path));
}
