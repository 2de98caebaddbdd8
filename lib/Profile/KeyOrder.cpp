//===- KeyOrder.cpp - Order and identity of op keys ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/KeyOrder.h"
#include "File/KeyRecord.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <typename Tie>
int compareTies(const Tie &a, const Tie &b);

template <typename T>
int compareParts(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, std::string>) {
    return a.compare(b);
  } else if constexpr (kIsNumber<T>) {
    return int(b < a) - int(a < b);
  } else if constexpr (IsOptional<T>()) {
    if (!a || !b)
      return int(a.has_value()) - int(b.has_value());
    return compareParts(*a, *b);
  } else if constexpr (IsVector<T>()) {
    for (size_t i = 0, common = std::min(a.size(), b.size()); i != common; ++i)
      if (int order = compareParts(a[i], b[i]))
        return order;
    return compareParts(a.size(), b.size());
  } else {
    return compareTies(a.tie(), b.tie());
  }
}

template <typename Tie, size_t... I>
int compareTies(const Tie &a, const Tie &b, std::index_sequence<I...>) {
  int order = 0;
  // The first parts that differ decide.
  (void)((order = compareParts(std::get<I>(a), std::get<I>(b))) || ...);
  return order;
}

template <typename Tie>
int compareTies(const Tie &a, const Tie &b) {
  return compareTies(a, b, std::make_index_sequence<std::tuple_size_v<Tie>>());
}

class Hash {
public:
  template <typename T>
  void add(const T &part) {
    if constexpr (std::is_same_v<T, std::string>) {
      mix(llvm::xxh3_64bits(llvm::StringRef(part)));
    } else if constexpr (kIsNumber<T>) {
      mix(uint64_t(part));
    } else if constexpr (IsOptional<T>()) {
      mix(part.has_value());
      if (part)
        add(*part);
    } else if constexpr (IsVector<T>()) {
      mix(part.size());
      for (const auto &element : part)
        add(element);
    } else {
      addTie(part.tie());
    }
  }
  template <typename Tie>
  void addTie(const Tie &tie) {
    std::apply([this](const auto &...part) { (this->add(part), ...); }, tie);
  }
  uint64_t get() const { return value; }

private:
  void mix(uint64_t part) {
    value = (value ^ part) * 0x9E3779B97F4A7C15ull;
    value ^= value >> 32;
  }

  uint64_t value = 0;
};

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

/// The file's number of each kind, the first sort criterion; unknown kinds come
/// last.
constexpr schema::KeyKind kFileKinds[] = {
#define MLIRPROF_PRODUCER(NAME, KIND) schema::KeyKind::KIND,
#include "mlir-prof/Profile/Producers.def"
    schema::KeyKind(std::numeric_limits<uint8_t>::max())};
static_assert(std::size(kFileKinds) == std::variant_size_v<KeyDetails>);

constexpr bool sharesNumber(size_t kind) {
  unsigned count = 0;
  for (schema::KeyKind each : kFileKinds)
    count += each == kFileKinds[kind];
  return count > 1;
}

template <size_t Kind>
constexpr bool kHasModule =
    std::tuple_size_v<decltype(std::declval<const std::variant_alternative_t<
                                   Kind, KeyDetails> &>()
                                   .tieModule())> != 0;

template <size_t... Kind>
constexpr bool hasOrder(std::index_sequence<Kind...>) {
  return !((sharesNumber(Kind) && kHasModule<Kind>) || ...);
}

// compareKeys() orders two of them by op first, and two of one kind by module
// first: with modules, that would not be an order.
static_assert(
    hasOrder(std::make_index_sequence<std::variant_size_v<KeyDetails>>()),
    "kinds that share a number in files have an empty tieModule()");

} // namespace

/// Compares the surroundings of two ops of one kind.
static int compareModules(const OpKey &a, const OpKey &b) {
  return std::visit(
      [&](const auto &details) {
        using T = std::decay_t<decltype(details)>;
        return compareTies(details.tieModule(), b.get<T>().tieModule());
      },
      a.details);
}

static int compareDetails(const OpKey &a, const OpKey &b) {
  return std::visit(
      [&](const auto &details) {
        using T = std::decay_t<decltype(details)>;
        return compareTies(details.tie(), b.get<T>().tie());
      },
      a.details);
}

int profile::compareKeys(const OpKey &a, const OpKey &b) {
  size_t kindOfA = a.details.index(), kindOfB = b.details.index();
  if (int order = compareParts(kFileKinds[kindOfA], kFileKinds[kindOfB]))
    return order;
  // Kinds that share a number in files do not have modules.
  if (kindOfA == kindOfB)
    if (int order = compareModules(a, b))
      return order;
  if (int order = a.op.compare(b.op))
    return order;
  if (int order = a.kernel.compare(b.kernel))
    return order;
  if (int order = compareParts(a.work, b.work))
    return order;
  return kindOfA == kindOfB ? compareDetails(a, b)
                            : compareParts(kindOfA, kindOfB);
}

uint64_t profile::hashKey(const OpKey &key) {
  Hash hash;
  hash.add(key.details.index());
  hash.add(key.op);
  hash.add(key.kernel);
  hash.add(key.work);
  std::visit(
      [&](const auto &details) {
        hash.addTie(details.tieModule());
        hash.addTie(details.tie());
      },
      key.details);
  return hash.get();
}

uint32_t
KeyIndex::findOrAdd(const OpKey &key, uint32_t next,
                    llvm::function_ref<const OpKey &(uint32_t number)> getKey) {
  uint32_t &lastOfHash = last[hashKey(key)];
  for (uint32_t number = lastOfHash; number != kNone; number = before[number])
    if (key == getKey(number))
      return number;
  before.resize(size_t(next) + 1, kNone);
  before[next] = lastOfHash;
  return lastOfHash = next;
}
