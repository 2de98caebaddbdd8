//===- Names.cpp - Names that carry more than a place ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;

/// Maximum number of numbers in one name that are considered.
static constexpr unsigned kMostNumbers = 8;

/// Larger numbers are not counters, and DenseSet reserves some of them.
static constexpr int64_t kMostNumber = INT64_MAX / 2;

/// "dense" before "dense_1".
static constexpr int64_t kNoNumber = -1;

namespace {

/// The numbers in names that are equal except for these.
struct Numbers {
  /// Distinct, in the order of the ops.
  std::vector<int64_t> before, after;
  llvm::DenseSet<int64_t> seenBefore, seenAfter;
};

/// Receives a number of a name, and the rest of the name.
using NumberVisitor = llvm::function_ref<void(Hash group, int64_t number)>;

class Counts {
public:
  Counts(const Features &before, const Features &after) {
    for (bool isBare : {false, true}) {
      add(before, isBare, &Numbers::before, &Numbers::seenBefore);
      add(after, isBare, &Numbers::after, &Numbers::seenAfter);
    }
    for (auto &[group, numbers] : groups)
      meanings[group] = judge(numbers);
  }
  void find(const Features &features, Colors &telling, Colors &kept) const;

private:
  /// Meaning of numbers: none, the place among equally many, or the identity of
  /// an op.
  enum class Meaning { Counted, Equal, Kept };
  static Meaning judge(const Numbers &numbers);
  void add(const Features &features, bool isBare,
           std::vector<int64_t> Numbers::*list,
           llvm::DenseSet<int64_t> Numbers::*seen);

  llvm::DenseMap<Hash, Numbers> groups;
  llvm::DenseMap<Hash, Meaning> meanings;
};

} // namespace

/// The map reserves the largest two keys.
static Hash hashAround(Hash kind, llvm::StringRef head, llvm::StringRef tail) {
  return combine(kind, combine(llvm::xxh3_64bits(head.rtrim("_.")),
                               llvm::xxh3_64bits(tail))) >>
         1;
}

static bool isDigit(char c) { return llvm::isDigit(c); }

/// Visits the numbers in the name; whether these are all.
static bool forEachNumber(Hash kind, llvm::StringRef name,
                          NumberVisitor visit) {
  unsigned count = 0;
  for (size_t at = 0; at < name.size();) {
    if (!isDigit(name[at])) {
      ++at;
      continue;
    }
    size_t end = std::min(name.find_if_not(isDigit, at), name.size());
    int64_t number = 0;
    if (++count > kMostNumbers ||
        name.slice(at, end).getAsInteger(10, number) || number > kMostNumber)
      return false;
    visit(hashAround(kind, name.take_front(at), name.drop_front(end)), number);
    at = end;
  }
  return true;
}

/// Visits the parts of the path that end without a number.
static void forEachBare(Hash kind, llvm::StringRef name, NumberVisitor visit) {
  unsigned count = 0;
  for (size_t at = 0; at <= name.size() && ++count <= kMostNumbers;) {
    size_t end = std::min(name.find_first_of("/\n", at), name.size());
    if (end != at && !isDigit(name[end - 1]))
      visit(hashAround(kind, name.take_front(end), name.drop_front(end)),
            kNoNumber);
    at = end + 1;
  }
}

void Counts::add(const Features &features, bool isBare,
                 std::vector<int64_t> Numbers::*list,
                 llvm::DenseSet<int64_t> Numbers::*seen) {
  for (uint32_t node = 0; node != features.size(); ++node) {
    llvm::StringRef name = features.getName(node);
    if (name.empty())
      continue;
    auto addTo = [&](Numbers &numbers, int64_t number) {
      // The name without a number is the first.
      auto &found = numbers.*list;
      if ((numbers.*seen).insert(number).second)
        found.insert(isBare ? found.begin() : found.end(), number);
    };
    if (isBare)
      forEachBare(features.kind[node], name, [&](Hash group, int64_t number) {
        if (auto found = groups.find(group); found != groups.end())
          addTo(found->second, number);
      });
    else
      forEachNumber(features.kind[node], name, [&](Hash group, int64_t number) {
        addTo(groups[group], number);
      });
  }
}

Counts::Meaning Counts::judge(const Numbers &numbers) {
  llvm::ArrayRef<int64_t> some = numbers.before, all = numbers.after;
  if (some == all)
    return Meaning::Equal;
  bool areUp = llvm::is_sorted(some) && llvm::is_sorted(all);
  bool areDown = llvm::is_sorted(llvm::reverse(some)) &&
                 llvm::is_sorted(llvm::reverse(all));
  if (!areUp && !areDown)
    return Meaning::Kept;
  if (some.size() > all.size())
    std::swap(some, all);
  bool isAnotherEnd = areUp ? all.take_front(some.size()) == some
                            : all.take_back(some.size()) == some;
  if (isAnotherEnd)
    return Meaning::Counted;
  bool areKnown =
      areUp
          ? std::includes(all.begin(), all.end(), some.begin(), some.end())
          : std::includes(all.rbegin(), all.rend(), some.rbegin(), some.rend());
  return areKnown ? Meaning::Kept : Meaning::Counted;
}

void Counts::find(const Features &features, Colors &telling,
                  Colors &kept) const {
  telling.resize(features.size());
  kept.resize(features.size());
  for (uint32_t node = 0; node != features.size(); ++node) {
    llvm::StringRef name = features.getName(node);
    if (name.empty())
      continue;
    bool isCounted = false, isKept = false;
    auto check = [&](Hash group, int64_t) {
      auto found = meanings.find(group);
      if (found == meanings.end())
        return;
      isCounted |= found->second == Meaning::Counted;
      isKept |= found->second == Meaning::Kept;
    };
    isCounted |= !forEachNumber(features.kind[node], name, check);
    forEachBare(features.kind[node], name, check);
    if (isCounted)
      continue;
    telling[node] = features.name[node];
    if (isKept)
      kept[node] = features.name[node];
  }
}

TellingNames::TellingNames(const Features &before, const Features &after) {
  Counts counts(before, after);
  counts.find(before, this->before, keptBefore);
  counts.find(after, this->after, keptAfter);
}
