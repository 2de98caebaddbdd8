//===- Versions.cpp - Versions for frequent sizes and values --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir-prof/Transforms/EntryValues.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <optional>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;
using namespace mlirprof::tuning;

/// Sizes that have less of the time are not worth the code.
static constexpr double kLeastShareOfSizes = 0.02;
/// A value has to hold this often to count as always the same.
static constexpr double kLeastShareOfValues = 0.9;
/// Shares are sums of fractions.
static constexpr double kRounding = 1e-9;
/// Each is a copy of the code.
static constexpr size_t kMostSizes = 4;

namespace {

/// A text of conditions for each version, as choices have it.
using Texts = std::vector<std::string>;

/// One number of a tuple.
struct Fixed {
  size_t position;
  int64_t number;
};

} // namespace

/// The values of all tables of `kind` with so many numbers, those with the
/// largest share first: functions that are alike are one site.
static std::optional<ObservedValues>
findValues(const OpSite &site, ValueKind kind, size_t numbers) {
  struct Seen {
    uint64_t count = 0;
    double weight = 0;
  };
  std::map<std::vector<int64_t>, Seen> sums;
  ObservedValues merged;
  merged.kind = kind;
  for (const ObservedValues &values : site.values) {
    bool fits = values.kind == kind && values.names.size() == numbers &&
                llvm::all_of(values.entries, [&](const ValueCount &entry) {
                  return entry.tuple.size() == numbers;
                });
    if (!fits)
      continue;
    merged.total += values.total;
    for (auto [index, entry] : llvm::enumerate(values.entries)) {
      Seen &sum = sums[entry.tuple];
      sum.count += entry.count;
      sum.weight += values.getShare(index) * double(values.total);
    }
  }
  if (merged.total == 0)
    return std::nullopt;
  for (const auto &[tuple, seen] : sums)
    merged.entries.push_back({tuple, seen.count});
  llvm::stable_sort(merged.entries,
                    [&](const ValueCount &a, const ValueCount &b) {
                      return sums[a.tuple].weight > sums[b.tuple].weight;
                    });
  for (const ValueCount &entry : merged.entries)
    merged.weights.push_back(sums[entry.tuple].weight / double(merged.total));
  return merged;
}

static std::string print(const EntryValue &value, int64_t number) {
  return value.getText() + "=" + llvm::itostr(number);
}

/// The most frequent sizes of `function`'s arguments.
static Texts getSizes(func::FuncOp function, const OpSite &site) {
  SmallVector<EntryValue> dimensions = getEntryDimensions(function);
  std::optional<ObservedValues> values =
      findValues(site, ValueKind::Dimensions, dimensions.size());
  Texts texts;
  if (!values || dimensions.empty())
    return texts;
  for (auto [index, entry] : llvm::enumerate(values->entries)) {
    if (texts.size() == kMostSizes ||
        values->getShare(index) < kLeastShareOfSizes - kRounding)
      break;
    std::vector<std::string> conditions;
    for (auto [dimension, size] : llvm::zip_equal(dimensions, entry.tuple))
      conditions.push_back(print(dimension, size));
    texts.push_back(llvm::join(conditions, " "));
  }
  return texts;
}

/// The part of all calls, or of their time, in which all of `numbers` hold.
static double getShare(const ObservedValues &values, ArrayRef<Fixed> numbers) {
  double share = 0;
  for (auto [index, entry] : llvm::enumerate(values.entries))
    if (llvm::all_of(numbers, [&, &tuple = entry.tuple](const Fixed &fixed) {
          return tuple[fixed.position] == fixed.number;
        }))
      share += values.getShare(index);
  return share;
}

/// Adds positions in turn as long as all together hold often enough.
static std::vector<Fixed> findConstants(const ObservedValues &values,
                                        ArrayRef<bool> mayBeFixed) {
  std::vector<Fixed> constants;
  if (values.entries.empty())
    return constants;
  // A value that holds in most calls holds in the most frequent tuple, but for
  // tuples that are many and rare: then its version gains little, too.
  const std::vector<int64_t> &tuple = values.entries.front().tuple;
  for (size_t i = 0; i < tuple.size(); ++i) {
    if (!mayBeFixed[i])
      continue;
    constants.push_back({i, tuple[i]});
    if (getShare(values, constants) < kLeastShareOfValues - kRounding)
      constants.pop_back();
  }
  return constants;
}

/// The values that `function`'s arguments almost always have; empty: none.
static std::string getConstants(func::FuncOp function, const OpSite &site) {
  SmallVector<EntryValue> numbers = getEntryNumbers(function);
  std::optional<ObservedValues> values =
      findValues(site, ValueKind::Arguments, numbers.size());
  if (!values)
    return "";
  SmallVector<bool> mayBeFixed;
  for (const EntryValue &value : numbers) {
    BlockArgument argument = function.getArgument(value.argument);
    // The contents of a buffer may change while the function runs.
    mayBeFixed.push_back(!argument.use_empty() &&
                         !isa<BaseMemRefType>(argument.getType()));
  }
  std::vector<std::string> conditions;
  for (const Fixed &fixed : findConstants(*values, mayBeFixed))
    conditions.push_back(print(numbers[fixed.position], fixed.number));
  return llvm::join(conditions, " ");
}

static Proposal makeProposal(size_t site, ArrayRef<std::string> texts) {
  Proposal proposal;
  // The code for sizes that are known is seldom slower, and calls with others
  // take the path that they took.
  proposal.success = 0.5;
  Choice choice;
  for (auto [index, text] : llvm::enumerate(texts))
    choice[llvm::utostr(index + 1)] = text;
  proposal.choices.push_back({site, std::move(choice)});
  return proposal;
}

/// `sizes` for calls with `constants`, and these for other sizes.
static Texts combine(ArrayRef<std::string> sizes,
                     const std::string &constants) {
  Texts texts;
  for (const std::string &size : sizes)
    texts.push_back(size + " " + constants);
  texts.push_back(constants);
  return texts;
}

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals;
  if (!model.hasProfile)
    return proposals;
  for (auto [index, site] : llvm::enumerate(model.sites)) {
    auto function = dyn_cast<func::FuncOp>(site.ops.front());
    if (!function || function.isExternal())
      continue;
    Texts sizes = getSizes(function, site);
    std::string constants = getConstants(function, site);
    if (!sizes.empty() && !constants.empty())
      proposals.push_back(makeProposal(index, combine(sizes, constants)));
    if (!constants.empty())
      proposals.push_back(makeProposal(index, constants));
    if (!sizes.empty())
      proposals.push_back(makeProposal(index, sizes));
    for (size_t count : {size_t(1), size_t(2)})
      if (count < sizes.size())
        proposals.push_back(
            makeProposal(index, ArrayRef(sizes).take_front(count)));
  }
  return proposals;
}

Technique technique::Versions() {
  return {codegen::choice::kVersions,
          "versions of functions for the sizes and values of most calls",
          tuning::DecisionScope::Op, /*isTrusted=*/true, propose};
}
