//===- DecisionsFuzzer.cpp - Fuzzes the reader of decisions ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionReader.h"
#include "mlir-prof/Tuning/DecisionWriter.h"
#include "mlir-prof/Tuning/ReceiptReader.h"

using namespace mlirprof;
using namespace mlirprof::tuning;

static std::string toText(const DecisionDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeDecisions(database, os);
  return text;
}

/// The observations of receipts can be filed as decisions are.
static void readTrials(llvm::StringRef input) {
  llvm::Expected<DecisionDatabase> trials = parseTrials(input, "input");
  if (!trials)
    return llvm::consumeError(trials.takeError());
  std::string text = toText(*trials);
  llvm::Expected<DecisionDatabase> again = parseDecisions(text, "again");
  if (!again || toText(*again) != text)
    __builtin_trap();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  readTrials(input);
  llvm::Expected<DecisionDatabase> database = parseDecisions(input, "input");
  if (!database) {
    llvm::consumeError(database.takeError());
    return 0;
  }
  std::string text = toText(*database);
  llvm::Expected<DecisionDatabase> again = parseDecisions(text, "again");
  if (!again || toText(*again) != text)
    __builtin_trap();
  for (const auto &[key, decision] : database->getDecisions())
    if (database->find(key.signature, key.machine).empty())
      __builtin_trap();
  // Merging existing decisions does not change anything.
  llvm::Expected<uint64_t> added = database->merge(*again);
  if (!added || *added || toText(*database) != text)
    __builtin_trap();
  return 0;
}
