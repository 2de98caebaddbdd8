//===- Annotate.cpp - Annotating a module with times ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Annotate.h"

#include "mlir-prof/Dialect/Prof/LocationCarrier.h"
#include "mlir-prof/Dialect/Prof/ProfileData.h"
#include "mlir-prof/Trace/Time.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using prof::CoverageAttr;
using prof::DataAttr;

static constexpr StringLiteral kCompatName = "profiler_data";

/// Whether `attribute` is a `profiler_data` as annotate() writes it.
static bool isCompatData(Attribute attribute) {
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute);
  return dictionary && dictionary.size() == 2 &&
         dictionary.getAs<IntegerAttr>("dur") &&
         dictionary.getAs<IntegerAttr>("ts");
}

Stripped transforms::stripAnnotations(Operation *root) {
  Stripped stripped;
  StringRef coverageName = prof::ProfDialect::getCoverageAttrName();
  root->walk([&](Operation *op) {
    stripped.attributes += prof::removeProfileData(op);
    // Most ops of a large module do not have attributes.
    if (op->getRawDictionaryAttrs().empty())
      return;
    stripped.attributes += op->removeDiscardableAttr(coverageName) != nullptr;
    if (isCompatData(op->getDiscardableAttr(kCompatName))) {
      op->removeDiscardableAttr(kCompatName);
      ++stripped.attributes;
    }
  });
  stripped.locations = prof::stripLocations(root);
  return stripped;
}

namespace {

/// Writes the times of ops, in pre-order.
class Writer {
public:
  Writer(MLIRContext *context, const AnnotateOptions &options)
      : context(context), carrier(options.carrier),
        compat(options.compatProfilerData ||
               options.carrier == Carrier::CompatProfilerData),
        compatName(StringAttr::get(context, kCompatName)),
        beginName(StringAttr::get(context, "ts")),
        durationName(StringAttr::get(context, "dur")),
        type(IntegerType::get(context, 64)) {}

  void write(Operation *op, uint64_t index, const OpTime &time) {
    if (carrier == Carrier::Location)
      carry(op, index, time);
    else
      prof::setProfileData(op, makeData(time));
    if (compat)
      op->setDiscardableAttr(compatName, makeCompatData(time));
  }

  /// Attaches the time of the op with index `index` to the location of `op`.
  void carry(Operation *op, uint64_t index, const OpTime &time) {
    op->setLoc(prof::carryData(op->getLoc(), int64_t(index), makeData(time)));
  }

  /// The total time written for `time`.
  static int64_t getTotalPs(const OpTime &time) {
    return saturatingAdd(clamp(time.solePs), clamp(time.estimatedPs));
  }

  void write(Operation *root, const Coverage &coverage, int64_t ownedPs) {
    auto attribute = CoverageAttr::get(
        context, clamp(coverage.opTimePs), clamp(ownedPs),
        clamp(coverage.uniquePs), clamp(coverage.ambiguousPs),
        clamp(coverage.fusedPs), clamp(coverage.partialPs),
        clamp(coverage.unmatchedPs), clamp(coverage.meanFusedMembersPpm));
    if (carrier == Carrier::Location)
      root->setLoc(prof::carryCoverage(root->getLoc(), attribute));
    else
      root->setDiscardableAttr(prof::ProfDialect::getCoverageAttrName(),
                               attribute);
  }

private:
  /// The attributes reject negative times, which the attribution of a hostile
  /// profile may contain.
  static int64_t clamp(int64_t time) { return std::max<int64_t>(time, 0); }

  DataAttr makeData(const OpTime &time) {
    return DataAttr::get(context, time.count, clamp(time.solePs),
                         clamp(time.sharedPs), clamp(time.estimatedPs),
                         time.firstBeginPs);
  }
  DictionaryAttr makeCompatData(const OpTime &time) {
    NamedAttribute entries[] = {
        {durationName, IntegerAttr::get(type, clamp(time.solePs))},
        {beginName, IntegerAttr::get(type, time.firstBeginPs)}};
    return DictionaryAttr::getWithSorted(context, entries);
  }

  MLIRContext *context;
  Carrier carrier;
  bool compat;
  StringAttr compatName;
  StringAttr beginName;
  StringAttr durationName;
  IntegerType type;
};

} // namespace

namespace {

/// Tracks the owner that contains the current op of a pre-order walk.
class Holder {
public:
  void enter(Operation *op, uint64_t index) {
    // Functions and modules contain the work of other ops rather than parts of
    // their own.
    if (op->getNumRegions() != 0 && !isa<FunctionOpInterface>(op) &&
        !op->hasTrait<OpTrait::SymbolTable>())
      stack.push_back({op, index});
  }
  /// Index of the nearest owner around `op`, if any.
  std::optional<uint64_t> find(Operation *op) {
    while (!stack.empty() && !stack.back().first->isProperAncestor(op))
      stack.pop_back();
    if (stack.empty())
      return std::nullopt;
    return stack.back().second;
  }

private:
  SmallVector<std::pair<Operation *, uint64_t>> stack;
};

} // namespace

/// Implements annotate() for a root without annotations.
static uint64_t write(Operation *root, const Attribution &attribution,
                      const AnnotateOptions &options) {
  Writer writer(root->getContext(), options);
  Holder holder;
  uint64_t written = 0;
  uint64_t index = 0;
  int64_t ownedPs = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    uint64_t own = index++;
    if (own >= attribution.ops.size())
      return;
    const OpTime &time = attribution.ops[own];
    if (time.count == 0 && Writer::getTotalPs(time) == 0 &&
        time.sharedPs == 0) {
      // The content of an owner is part of it, and may be all that remains if
      // another op absorbs the owner.
      if (options.carrier == Carrier::Location)
        if (std::optional<uint64_t> owner = holder.find(op))
          writer.carry(op, *owner, attribution.ops[*owner]);
      return;
    }
    writer.write(op, own, time);
    holder.enter(op, own);
    ++written;
    ownedPs = saturatingAdd(ownedPs, writer.getTotalPs(time));
  });
  writer.write(root, attribution.coverage, ownedPs);
  return written;
}

uint64_t transforms::annotate(Operation *root, const Attribution &attribution,
                              const AnnotateOptions &options) {
  stripAnnotations(root);
  return write(root, attribution, options);
}

/// Explains why nothing matched: the most costly reasons, which usually contain
/// the answer.
static LogicalResult emitUnmatched(Operation *root, const Profile &profile,
                                   const Attribution &attribution) {
  InFlightDiagnostic error =
      emitError(root->getLoc())
      << "no op of this module owns any time of the profile "
      << "(coverage 0, " << profile.opKeys.size() << " measured ops)";
  constexpr size_t kShown = 3;
  ArrayRef<UnmatchedReason> reasons = attribution.unmatched;
  for (const UnmatchedReason &reason : reasons.take_front(kShown))
    error.attachNote() << "reason: " << reason.reason << " (" << reason.count
                       << " measured ops, " << reason.timePs << " ps)";
  if (attribution.coverage.opTimePs == 0)
    error.attachNote()
        << "hint: the profile does not contain the time of any op; if its "
           "samples lack a unit, import it with --sample-period=TIME first";
  else
    error.attachNote() << "hint: give the module that was run when the profile "
                          "was recorded, with its locations "
                          "(--mlir-print-debuginfo), or accept it with "
                          "allow-unmatched";
  return error;
}

LogicalResult transforms::annotateFromProfile(
    Operation *root, const Profile &profile, const AnnotateOptions &options,
    const MatchOptions &matching, bool allowUnmatched, uint64_t *annotatedOps) {
  // Results of an earlier run are not evidence for this one.
  stripAnnotations(root);
  MatchOptions withoutRows = matching;
  withoutRows.rows = MatchRows::Costs;
  Ownership ownership = match::matchProfile(profile, root, withoutRows);
  Attribution attribution = attribute(profile, ownership);
  const Coverage &coverage = attribution.coverage;
  bool unmatched = coverage.opTimePs == coverage.unmatchedPs;
  if (unmatched && !allowUnmatched)
    return emitUnmatched(root, profile, attribution);
  uint64_t written = write(root, attribution, options);
  if (annotatedOps)
    *annotatedOps = written;
  return success();
}
