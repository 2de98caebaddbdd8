//===- Summary.h - Mergeable summary of one quantity ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_SUMMARY_H
#define MLIR_PROF_PROFILE_SUMMARY_H

#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace mlirprof::profile {

/// A logarithmic histogram with four buckets per octave. Bucket bounds are
/// fixed integers (see bucketOf), so that two histograms always merge exactly.
/// Only the span of buckets in use is stored.
class Histogram {
public:
  /// Bucket of `value`: 0 for value <= 0; 1, 2, 3 for these values; from there
  /// 4 * floor(log2(value)) - 4 + (the two bits after the leading one). The
  /// last is 4 * 62 - 4 + 3 = 247.
  static unsigned bucketOf(int64_t value) {
    if (value < 4)
      return value > 0 ? unsigned(value) : 0;
    // The leading one becomes a four, at which the next octave begins.
    unsigned shift = llvm::Log2_64(uint64_t(value)) - 2;
    return 4 * shift + unsigned(uint64_t(value) >> shift);
  }
  /// Smallest value of bucket `bucket` (INT64_MIN for bucket 0).
  static int64_t lowerBound(unsigned bucket);
  static constexpr unsigned kBuckets = 248;

  void add(int64_t value, uint64_t times = 1) {
    unsigned bucket = bucketOf(value);
    // Wraps around for buckets before the first.
    if (LLVM_UNLIKELY(unsigned(bucket - first) >= counts.size()))
      grow(bucket);
    counts[bucket - first] += times;
  }
  void merge(const Histogram &other);
  uint64_t get(unsigned bucket) const {
    return bucket < first || bucket >= first + counts.size()
               ? 0
               : counts[bucket - first];
  }
  /// First bucket in use, and the counts from there on. Leading and trailing
  /// zeros are possible only in histograms written by hand.
  unsigned getFirst() const { return first; }
  const std::vector<uint64_t> &getCounts() const { return counts; }
  /// Sets a stored span; false if it does not fit into kBuckets.
  bool set(unsigned firstBucket, std::vector<uint64_t> spanCounts);

  bool operator==(const Histogram &other) const;

private:
  void grow(unsigned bucket);

  unsigned first = 0;
  std::vector<uint64_t> counts;
};

/// Count, sum, sum of squares, minimum, maximum and histogram of one quantity
/// (picoseconds for times). Merging is exact, associative and commutative; sums
/// saturate, as `saturated` indicates.
struct Summary {
  uint64_t count = 0;
  int64_t sum = 0;
  unsigned __int128 sumSquares = 0;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();
  bool saturated = false;
  Histogram histogram;

  void add(int64_t value) {
    ++count;
    addSum(value);
    addSquares(square(value));
    min = value < min ? value : min;
    max = value > max ? value : max;
    histogram.add(value);
  }
  void merge(const Summary &other);

  bool operator==(const Summary &other) const;

private:
  static unsigned __int128 square(int64_t value) {
    __int128 wide = value;
    return (unsigned __int128)(wide * wide);
  }
  void addSum(int64_t value) {
    if (__builtin_add_overflow(sum, value, &sum)) {
      sum = value < 0 ? std::numeric_limits<int64_t>::min()
                      : std::numeric_limits<int64_t>::max();
      saturated = true;
    }
  }
  void addSquares(unsigned __int128 value) {
    unsigned __int128 before = sumSquares;
    sumSquares += value;
    if (sumSquares < before) {
      sumSquares = ~(unsigned __int128)0;
      saturated = true;
    }
  }
};

/// The first bucket of stalls: among the largest tenth of the values, those in
/// buckets that begin at four times the maximum of the others or beyond.
/// Histogram::kBuckets if there are none.
unsigned findStalls(const Summary &summary);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_SUMMARY_H
