//===- Lookup.cpp - Resolving a query for an explanation ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explainer.h"
#include "NearestNames.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

Explainer::Meanings Explainer::findMeanings(llvm::StringRef query) const {
  Meanings meanings;
  llvm::ArrayRef<MlirOp> ops;
  if (input.ownership)
    ops = input.ownership->ops;
  auto addOps = [&](auto &&means) {
    for (uint32_t i = 0; i < ops.size() && !query.empty(); ++i)
      if (means(ops[i]))
        meanings.ops.push_back(i);
  };
  auto addKeys = [&](auto &&means) {
    llvm::ArrayRef<OpKey> keys = input.profile.opKeys;
    for (uint32_t i = 0; i < keys.size() && !query.empty(); ++i)
      if (means(keys[i]))
        meanings.keys.push_back(i);
  };
  auto found = [&] { return !meanings.ops.empty() || !meanings.keys.empty(); };

  addOps([&](const MlirOp &op) {
    return op.path == query || op.location == query;
  });
  if (!found())
    addKeys([&](const OpKey &key) { return getKeyLabel(key) == query; });
  if (!found())
    addKeys([&](const OpKey &key) { return key.op == query; });
  if (!found())
    addOps([&](const MlirOp &op) { return op.op == query; });
  return meanings;
}

/// Reads "12", "#12" or, for the second program, "1:#12".
static bool readNumber(llvm::StringRef query, std::optional<uint32_t> &program,
                       uint64_t &index) {
  auto [front, back] = query.split(':');
  if (front.size() != query.size()) {
    uint32_t number = 0;
    if (front.getAsInteger(10, number))
      return false;
    program = number;
    query = back;
  }
  query.consume_front("#");
  return !query.getAsInteger(10, index);
}

llvm::Expected<std::vector<uint32_t>>
Explainer::findIndex(llvm::StringRef query, std::optional<uint32_t> program,
                     uint64_t index) const {
  if (!input.ownership)
    return inputError("op '" + query + "'",
                      "refers to an op of a module, but there is none",
                      "Name the module with --model=FILE.");
  const Ownership &ownership = *input.ownership;
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < ownership.ops.size(); ++i)
    if (OpNumber number = ownership.getNumber(i);
        number.index == index && number.index != kNone &&
        number.program == program.value_or(number.program))
      found.push_back(i);
  if (!found.empty())
    return std::move(found);
  if (ownership.numbers.empty())
    return inputError("op '" + query + "'",
                      "is not in the module, which has " +
                          formatCount(ownership.ops.size(), "op"),
                      "`report --by=op` lists the indices.");
  return inputError("op '" + query + "'",
                    "is not an op of the profile at this level",
                    "`report --by=op --all` lists the indices.");
}

llvm::Error Explainer::unknown(llvm::StringRef query) const {
  NearestNames nearest(query);
  if (input.ownership)
    for (const MlirOp &op : input.ownership->ops)
      nearest.add(op.path);
  for (const OpKey &key : input.profile.opKeys)
    nearest.add(key.op);
  std::vector<std::string> best = nearest.take();
  std::string hint =
      !best.empty() ? "Nearest are: " + llvm::join(best, ", ") + "."
      : input.ownership
          ? "`report --by=op` and `--by=measured-op` list the names."
          : "Name the module with --model=FILE.";
  return inputError("op '" + query + "'",
                    input.ownership
                        ? "is neither in the module nor in the profile"
                        : "is not in the profile, and there is no module",
                    hint);
}

void Explainer::listCandidates(Explanation &explanation,
                               const Meanings &meanings) const {
  for (uint32_t index : meanings.ops) {
    const MlirOp &op = input.ownership->ops[index];
    explanation.candidates.push_back({formatNumber(*input.ownership, index),
                                      (op.op + "  " + getPlace(op)).str(),
                                      input.attribution->ops[index].totalPs()});
  }
  for (uint32_t key : meanings.keys) {
    const OpSummary &op = merged[key];
    explanation.candidates.push_back(
        {getKeyLabel(input.profile.opKeys[key]),
         "measured op, " + formatCount(op.getCount(), "event"),
         op.getTimePs()});
  }
  llvm::sort(explanation.candidates,
             [](const Candidate &a, const Candidate &b) {
               return std::tie(b.timePs, a.query) < std::tie(a.timePs, b.query);
             });
}

llvm::Expected<Explanation> Explainer::explain(llvm::StringRef query) {
  Explanation explanation;
  explanation.query = query.str();
  std::optional<uint32_t> program;
  uint64_t index = 0;
  Meanings meanings;
  if (readNumber(query, program, index)) {
    auto ops = findIndex(query, program, index);
    if (!ops)
      return ops.takeError();
    meanings.ops = std::move(*ops);
  } else {
    meanings = findMeanings(query);
  }
  size_t count = meanings.ops.size() + meanings.keys.size();
  if (count == 0)
    return unknown(query);
  if (count > 1) {
    explanation.kind = Explanation::Kind::Ambiguous;
    listCandidates(explanation, meanings);
  } else if (!meanings.ops.empty()) {
    explanation.op = meanings.ops.front();
    explainMlirOp(explanation);
  } else {
    explanation.kind = Explanation::Kind::MeasuredOp;
    explanation.measured = {describe(meanings.keys.front())};
    findTracks(explanation.measured);
  }
  return explanation;
}
