//===- ValueSites.h - Recording of values -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_VALUESITES_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_VALUESITES_H

#include "LoopNests.h"
#include "NodeLookup.h"
#include "SkippedPlaces.h"
#include "TripCounts.h"
#include "mlir-prof/Profile/Program.h"
#include "mlir-prof/Transforms/EntryValues.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlirprof::transforms {

/// Inserts the recording of values into one function.
class ValueSites {
public:
  /// `everywhere` also records values executed in innermost loops, or per
  /// execution of one.
  ValueSites(mlir::func::FuncOp function, profile::Program &program,
             NodeLookup &lookup, bool everywhere)
      : function(function), program(program), lookup(lookup),
        everywhere(everywhere), nests(function) {}

  void record();

  /// Places whose values are not recorded, and why.
  llvm::ArrayRef<SkippedPlace> getSkipped() const { return skipped; }

private:
  void recordArguments();
  void recordEntry(mlir::OpBuilder &builder, profile::ValueKind kind,
                   llvm::ArrayRef<EntryValue> values);
  void recordTrips(mlir::Operation *loop);
  void recordBranch(mlir::Operation *op, mlir::Value condition,
                    bool inInnermost, bool inLoop);
  void recordBranches(mlir::Region &region, mlir::CFGLoopInfo &loops);
  void skipOthers();
  /// The op before which the trip counts of `loop` are recorded.
  mlir::Operation *getPlace(mlir::Operation *loop,
                            const LoopRanges &ranges) const;
  void add(mlir::OpBuilder &builder, mlir::Operation *op,
           profile::ValueKind kind, llvm::ArrayRef<mlir::Value> tuple,
           std::vector<std::string> names, bool hot);

  mlir::func::FuncOp function;
  profile::Program &program;
  NodeLookup &lookup;
  bool everywhere;
  LoopNests nests;
  llvm::SmallVector<SkippedPlace> skipped;
};

/// Inserts the recording of values into all functions of `module`, lists the
/// sites in `program`, and reports values that are not recorded in a remark per
/// function. Returns the number of places that are not recorded.
uint64_t recordValues(mlir::ModuleOp module, profile::Program &program,
                      NodeLookup &lookup, bool everywhere);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_VALUESITES_H
