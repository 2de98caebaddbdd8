//===- DecisionChecks.cpp - Checking entries of a database ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionChecks.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::tuning;

static llvm::Error fail(const llvm::Twine &what) {
  return inputError("decision", what,
                    "The database is damaged, or this is a bug in mlir-prof.");
}

static bool isHash(llvm::StringRef text) {
  return text.size() == 32 && llvm::all_of(text, [](char c) {
           return llvm::isDigit(c) || (c >= 'a' && c <= 'f');
         });
}

/// Valid UTF-8 of at most kStringBytes, which ends with a character.
static void cut(std::string &text) {
  if (!llvm::json::isUTF8(text))
    text = llvm::json::fixUTF8(text);
  size_t end = DecisionLimits::kStringBytes;
  if (text.size() <= end)
    return;
  while (end && (uint8_t(text[end]) & 0xc0) == 0x80)
    --end;
  text.resize(end);
}

/// Whether `text` may name something: no cutting, as cut names could be equal.
static bool isName(llvm::StringRef text) {
  return !text.empty() && text.size() <= DecisionLimits::kStringBytes &&
         llvm::json::isUTF8(text);
}

static llvm::Error checkKey(const DecisionKey &key) {
  const OpSignature &signature = key.signature;
  if (!isHash(signature.exact) || !isHash(signature.shapeErased) ||
      (!signature.neighborhood.empty() && !isHash(signature.neighborhood)))
    return fail("a hash does not have 32 hexadecimal digits");
  if (!isName(key.machine) || !isName(key.technique))
    return fail(
        "the machine or the technique lacks a name, or has a very long one");
  return llvm::Error::success();
}

static llvm::Error checkChoice(const Choice &choice) {
  if (choice.size() > DecisionLimits::kParameters)
    return fail("there are more than " +
                llvm::Twine(DecisionLimits::kParameters) + " parameters");
  for (const auto &[name, value] : choice)
    if (!isName(name) || (!value.empty() && !isName(value)))
      return fail("a parameter lacks a name, or is very long");
  return llvm::Error::success();
}

static llvm::Error checkTime(int64_t whenMs) {
  if (whenMs < 0 || whenMs > DecisionLimits::kWhenMs)
    return fail("the date is out of range");
  return llvm::Error::success();
}

static void makeFinite(double &value) {
  if (!std::isfinite(value))
    value = std::numeric_limits<double>::max();
  // A minus sign would distinguish two equal observations.
  value += 0.0;
}

static llvm::Error checkSizes(const MeasuredSizes &sizes) {
  if (sizes.size() > DecisionLimits::kSizes)
    return fail("there are more than " + llvm::Twine(DecisionLimits::kSizes) +
                " combinations of sizes");
  for (const std::vector<int64_t> &combination : sizes)
    if (combination.empty() || combination.size() > DecisionLimits::kSizes ||
        llvm::any_of(combination, [](int64_t size) { return size < 0; }))
      return fail("a size is negative, or there are none or very many");
  return llvm::Error::success();
}

llvm::Error tuning::checkDecision(Decision &decision) {
  cut(decision.producer);
  cut(decision.label);
  if (llvm::Error error = checkKey(decision.key))
    return error;
  if (decision.scope == DecisionScope::Neighborhood &&
      decision.key.signature.neighborhood.empty())
    return fail("it is about neighbors, which the op lacks");
  if (llvm::Error error = checkTime(decision.whenMs))
    return error;
  return checkChoice(decision.choice);
}

llvm::Error tuning::checkObservation(Observation &observation) {
  cut(observation.producer);
  cut(observation.reason);
  makeFinite(observation.spread);
  if (observation.probability)
    makeFinite(*observation.probability);
  if (observation.error)
    makeFinite(*observation.error);
  if (llvm::Error error = checkKey(observation.key))
    return error;
  if (llvm::Error error = checkTime(observation.whenMs))
    return error;
  if (observation.oldPs < 0 || observation.newPs < 0 || observation.spread < 0)
    return fail("a time or a spread is negative");
  if (llvm::Error error = checkSizes(observation.sizes))
    return error;
  return checkChoice(observation.choice);
}
