//===- Ownership.cpp - Times of the ops of a module -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Profile/CallCounts.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

llvm::StringRef attribution::toString(MatchClass matchClass) {
  switch (matchClass) {
  case MatchClass::Unique:
    return "unique";
  case MatchClass::Ambiguous:
    return "ambiguous";
  case MatchClass::Fused:
    return "fused";
  case MatchClass::Partial:
    return "partial";
  case MatchClass::Unmatched:
    return "unmatched";
  }
  return "unknown";
}

llvm::StringRef attribution::toString(MatchTier tier) {
  switch (tier) {
  case MatchTier::Identity:
    return "identity";
  case MatchTier::LocationPath:
    return "location-path";
  case MatchTier::SourceFrame:
    return "source-frame";
  case MatchTier::Opcode:
    return "opcode";
  case MatchTier::Shape:
    return "shape";
  case MatchTier::ExecutionOrder:
    return "execution-order";
  case MatchTier::StructuralHash:
    return "structural-hash";
  case MatchTier::Neighborhood:
    return "neighborhood";
  }
  return "unknown";
}

std::vector<int64_t>
attribution::splitExactly(int64_t total, llvm::ArrayRef<uint64_t> weights) {
  using Wide = unsigned __int128;
  size_t size = weights.size();
  std::vector<int64_t> parts(size);
  if (weights.empty())
    return parts;
  Wide sum = 0;
  for (uint64_t weight : weights)
    sum += weight;
  bool equal = sum == 0;
  if (equal)
    sum = size;
  // Negative totals are split by magnitude, so that -x is split like x.
  uint64_t magnitude = total < 0 ? -uint64_t(total) : uint64_t(total);
  std::vector<Wide> remainders(size);
  uint64_t left = magnitude;
  for (size_t i = 0; i != size; ++i) {
    // At most 2^63 * 2^64: no overflow.
    Wide share = Wide(magnitude) * (equal ? 1 : weights[i]);
    uint64_t part = uint64_t(share / sum);
    remainders[i] = share % sum;
    left -= part;
    parts[i] = int64_t(total < 0 ? -part : part);
  }
  // `left` is less than `size`: the largest remainders get one unit each.
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(remainders[b], a) < std::tie(remainders[a], b);
  });
  for (uint64_t i = 0; i != left; ++i)
    parts[order[i]] += total < 0 ? -1 : 1;
  return parts;
}

static void addTo(int64_t &sum, int64_t value) {
  sum = saturatingAdd(sum, value);
}

namespace {

/// Adds up the parts of an Attribution.
class Attributor {
public:
  Attributor(const Ownership &ownership, bool isOfDevices) {
    result.ops.resize(ownership.ops.size());
    result.isOfDevices = isOfDevices;
  }
  void charge(const OpSummary &measured, const Match &match, bool isBeside);
  Attribution take();

private:
  /// Sums of the fusions of a coverage.
  struct Fusions {
    /// Sums of time, and of time * members.
    __int128 time = 0;
    __int128 members = 0;

    void store(Coverage &coverage) const;
  };

  void chargeOp(uint32_t op, const OpSummary &measured);
  void chargeHost(llvm::ArrayRef<uint32_t> ops, llvm::ArrayRef<int64_t> parts);
  void cover(MatchClass matchClass, size_t members, int64_t timePs,
             bool isBeside);
  void addReason(const Match &match, uint64_t count, int64_t timePs);

  Attribution result;
  /// Positions in result.unmatched.
  llvm::StringMap<size_t> reasons;
  Fusions fusions, hostFusions;
};

} // namespace

void Attributor::chargeOp(uint32_t op, const OpSummary &measured) {
  OpTime &time = result.ops[op];
  time.firstBeginPs = time.count
                          ? std::min(time.firstBeginPs, measured.firstBeginPs)
                          : measured.firstBeginPs;
  time.count = llvm::SaturatingAdd(time.count, measured.getCount());
}

void Attributor::chargeHost(llvm::ArrayRef<uint32_t> ops,
                            llvm::ArrayRef<int64_t> parts) {
  for (auto [op, part] : llvm::zip_equal(ops, parts))
    addTo(result.ops[op].hostPs, part);
}

void Attributor::cover(MatchClass matchClass, size_t members, int64_t timePs,
                       bool isBeside) {
  Coverage &coverage = isBeside ? result.host : result.coverage;
  Fusions &fused = isBeside ? hostFusions : fusions;
  addTo(coverage.opTimePs, timePs);
  switch (matchClass) {
  case MatchClass::Unique:
    return addTo(coverage.uniquePs, timePs);
  case MatchClass::Ambiguous:
    return addTo(coverage.ambiguousPs, timePs);
  case MatchClass::Fused:
    fused.time += timePs;
    fused.members += __int128(timePs) * uint32_t(members);
    return addTo(coverage.fusedPs, timePs);
  case MatchClass::Partial:
    return addTo(coverage.partialPs, timePs);
  case MatchClass::Unmatched:
    return addTo(coverage.unmatchedPs, timePs);
  }
}

void Attributor::addReason(const Match &match, uint64_t count, int64_t timePs) {
  llvm::StringRef reason = match.reason;
  if (reason.empty())
    reason = "no MLIR op was found";
  auto [entry, isNew] = reasons.try_emplace(reason, result.unmatched.size());
  if (isNew)
    result.unmatched.push_back({reason.str(), 0, 0});
  UnmatchedReason &sum = result.unmatched[entry->second];
  sum.count = llvm::SaturatingAdd(sum.count, count);
  addTo(sum.timePs, timePs);
}

/// `isBeside`: it is time of the host in a profile of devices.
void Attributor::charge(const OpSummary &measured, const Match &match,
                        bool isBeside) {
  int64_t timePs = measured.getTimePs();
  llvm::SmallVector<uint32_t> ops;
  llvm::SmallVector<uint64_t> weights;
  for (size_t i = 0; i != match.ops.size(); ++i) {
    if (match.ops[i] >= result.ops.size())
      continue;
    ops.push_back(match.ops[i]);
    weights.push_back(i < match.weights.size() ? match.weights[i] : 0);
  }
  MatchClass matchClass =
      ops.empty() ? MatchClass::Unmatched : match.matchClass;
  if (matchClass != MatchClass::Unmatched && match.lostWeight) {
    weights.push_back(match.lostWeight);
    int64_t lostPs = splitExactly(timePs, weights).back();
    weights.pop_back();
    cover(MatchClass::Unmatched, 0, lostPs, isBeside);
    if (!isBeside)
      addReason(match, 0, lostPs);
    timePs = saturatingSub(timePs, lostPs);
  }
  cover(matchClass, ops.size(), timePs, isBeside);
  if (isBeside)
    return chargeHost(ops, splitExactly(timePs, weights));
  if (matchClass == MatchClass::Unmatched)
    return addReason(match, measured.getCount(), timePs);

  for (uint32_t op : ops)
    chargeOp(op, measured);
  // Other ops do not have a claim on a partial match with one known op.
  if (matchClass == MatchClass::Unique ||
      (matchClass == MatchClass::Partial && ops.size() == 1))
    return addTo(result.ops[ops.front()].solePs, timePs);
  std::vector<int64_t> parts = splitExactly(timePs, weights);
  for (size_t i = 0; i != ops.size(); ++i) {
    addTo(result.ops[ops[i]].sharedPs, timePs);
    addTo(result.ops[ops[i]].estimatedPs, parts[i]);
  }
}

void Attributor::Fusions::store(Coverage &coverage) const {
  if (time > 0)
    coverage.meanFusedMembersPpm = int64_t(std::clamp<__int128>(
        members * 1000000 / time, 0, std::numeric_limits<int64_t>::max()));
}

Attribution Attributor::take() {
  fusions.store(result.coverage);
  hostFusions.store(result.host);
  llvm::sort(
      result.unmatched, [](const UnmatchedReason &a, const UnmatchedReason &b) {
        return std::tie(b.timePs, a.reason) < std::tie(a.timePs, b.reason);
      });
  return std::move(result);
}

Attribution attribution::attribute(const Profile &profile,
                                   const Ownership &ownership) {
  bool isOfDevices = profile.hasDeviceWork();
  Attributor attributor(ownership, isOfDevices);
  static const Match nothing;
  std::vector<OpSummary> merged = mergeRuns(profile);
  for (const OpSummary &measured : merged) {
    if (measured.measurements.empty())
      continue;
    bool isHost = profile.opKeys[measured.op].work == DeviceWork::None;
    attributor.charge(measured,
                      measured.op < ownership.matches.size()
                          ? ownership.matches[measured.op]
                          : nothing,
                      isOfDevices && isHost);
  }
  Attribution result = attributor.take();
  std::vector<uint64_t> calls = countCalls(
      profile, merged, ownership.ops.size(), [&](uint32_t op, TakeOwners take) {
        if (op >= ownership.matches.size() ||
            ownership.matches[op].matchClass == MatchClass::Unmatched)
          return;
        llvm::SmallVector<uint32_t> owners;
        for (uint32_t owner : ownership.matches[op].ops)
          if (owner < result.ops.size())
            owners.push_back(owner);
        take(owners);
      });
  for (auto [op, count] : llvm::zip_equal(result.ops, calls))
    op.count = count;
  return result;
}
