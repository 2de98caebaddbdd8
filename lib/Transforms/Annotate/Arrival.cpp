//===- Arrival.cpp - Carried data of a module at any level ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Arrival.h"

#include "StaticWeight.h"
#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Dialect/Prof/LocationCarrier.h"
#include "mlir-prof/Trace/Time.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using prof::CarriedData;
using prof::DataAttr;

namespace {

/// The data of one source op and its outermost carriers.
struct Source {
  DataAttr data;
  SmallVector<Operation *, 2> carriers;
};

/// The times collected for an op so far.
struct Times {
  uint64_t count = 0;
  int64_t solePs = 0;
  int64_t sharedPs = 0;
  int64_t estimatedPs = 0;
  int64_t firstBeginPs = std::numeric_limits<int64_t>::max();

  void addEvents(DataAttr data) {
    count = llvm::SaturatingAdd(count, data.getCount());
    firstBeginPs = std::min(firstBeginPs, data.getFirstBeginPs());
  }
  DataAttr toAttribute(MLIRContext *context) const {
    return DataAttr::get(context, count, solePs, sharedPs, estimatedPs,
                         firstBeginPs);
  }
};

class Collector {
public:
  void collect(Operation *root);
  void charge();

  llvm::MapVector<Attribute, Source> sources;
  llvm::DenseMap<Operation *, Times> times;
  uint64_t soleOwners = 0;
  uint64_t malformed = 0;

private:
  ArrayRef<CarriedData> read(Location location);
  void chargeSet(DataAttr data, ArrayRef<Operation *> owners,
                 ArrayRef<uint64_t> weights);

  /// The data that a location carries: many ops share one location after
  /// lowering.
  llvm::DenseMap<Attribute, SmallVector<CarriedData, 1>> cache;
  prof::CarrierIndex carriers;
  StaticWeight weight;
};

} // namespace

ArrayRef<CarriedData> Collector::read(Location location) {
  auto [entry, isNew] = cache.try_emplace(LocationAttr(location));
  if (isNew) {
    prof::collectData(location, entry->second, carriers);
    malformed += entry->second.empty() && carriers.carries(location) &&
                 !prof::findCoverage(location);
  }
  return entry->second;
}

void Collector::collect(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return;
    for (const CarriedData &carried : read(op->getLoc())) {
      Source &source = sources[carried.identity];
      source.data = carried.data;
      // In pre-order only the last carrier can enclose this one.
      if (source.carriers.empty() ||
          !source.carriers.back()->isProperAncestor(op))
        source.carriers.push_back(op);
    }
  });
}

void Collector::chargeSet(DataAttr data, ArrayRef<Operation *> owners,
                          ArrayRef<uint64_t> weights) {
  int64_t shared = saturatingAdd(data.getSolePs(), data.getSharedPs());
  std::vector<int64_t> parts = splitExactly(data.getTotalPs(), weights);
  for (auto [owner, part] : llvm::zip_equal(owners, parts)) {
    Times &sum = times[owner];
    sum.addEvents(data);
    sum.sharedPs = saturatingAdd(sum.sharedPs, shared);
    sum.estimatedPs = saturatingAdd(sum.estimatedPs, part);
  }
}

void Collector::charge() {
  for (auto &[identity, source] : sources) {
    SmallVector<Operation *> owners;
    SmallVector<uint64_t> weights;
    if (source.carriers.size() > 1)
      for (Operation *carrier : source.carriers)
        if (uint64_t cost = weight.get(carrier)) {
          owners.push_back(carrier);
          weights.push_back(cost);
        }
    if (owners.empty()) {
      owners.assign(source.carriers.begin(), source.carriers.end());
      weights.assign(owners.size(), 1);
    }
    if (owners.size() > 1) {
      chargeSet(source.data, owners, weights);
      continue;
    }
    ++soleOwners;
    DataAttr data = source.data;
    Times &sum = times[owners.front()];
    sum.addEvents(data);
    sum.solePs = saturatingAdd(sum.solePs, data.getSolePs());
    sum.sharedPs = saturatingAdd(sum.sharedPs, data.getSharedPs());
    sum.estimatedPs = saturatingAdd(sum.estimatedPs, data.getEstimatedPs());
  }
}

Arrival transforms::collectArrival(Operation *root) {
  Collector collector;
  collector.collect(root);
  collector.charge();

  Arrival arrival;
  arrival.annotated = prof::findCoverage(root->getLoc());
  arrival.sourceOps = collector.sources.size();
  arrival.soleOwners = collector.soleOwners;
  arrival.malformed = collector.malformed;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto found = collector.times.find(op);
    if (found == collector.times.end())
      return;
    DataAttr data = found->second.toAttribute(root->getContext());
    arrival.owners.insert({op, data});
    arrival.totalPs = saturatingAdd(arrival.totalPs, data.getTotalPs());
  });
  return arrival;
}
