//===- ProbeParts.h - Probes of code that is compiled apart -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a module of its own, and several dispatches of a host side run
// it. Each dispatch has a part of the host side's probes, and passes the
// address of a record (prof_rt_part) as an argument, which prof.part marks.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBEPARTS_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBEPARTS_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mlirprof::transforms {

/// All probes and tables of a module for the runtime: those of its program,
/// then those of each dispatch.
struct ProbeLayout {
  /// The fields of prof_rt_part.
  struct Part {
    int64_t slots = 0, cells = 0, open = 0;
    uint32_t probe = 0, table = 0;
  };
  std::vector<uint32_t> parents;
  std::vector<uint32_t> tupleLengths;
  /// The number of each in a file; empty without dispatches.
  std::vector<uint64_t> probePlaces, tablePlaces;
  /// Number of those that the program of the whole model lists.
  uint32_t listedProbes = 0, listedTables = 0;
  /// By dispatch.
  std::vector<Part> parts;

  /// The words of a thread's block at which the cells begin, and the numbers of
  /// open executions.
  int64_t getFirstCell() const;
  int64_t getFirstOpen() const;
  /// The size of a thread's block, with its header.
  uint64_t countWords() const;
};

/// The layout of `module`, of which `program` lists the probes. Emits an error
/// if its list of other modules' probes is malformed.
llvm::FailureOr<ProbeLayout> layOutProbes(mlir::ModuleOp module,
                                          const profile::Program &program);

/// Whether `module` is code of several dispatches: a function of it has a
/// record of its probes as an argument.
bool isShared(mlir::ModuleOp module);
/// The argument of the function around `op` that is the record's address, as
/// i64; null if there is none.
mlir::Value findPart(mlir::Operation *op);

/// Reads the record of the code at `op`.
class PartReader {
public:
  PartReader(mlir::OpBuilder &builder, mlir::Location location,
             mlir::Operation *op);

  mlir::Value getModule();
  mlir::Value getSlots();
  mlir::Value getCells();
  mlir::Value getOpen();
  /// The number in the module of a probe, or table, with the number `own`.
  mlir::Value getProbe(uint32_t own);
  mlir::Value getTable(uint32_t own);

private:
  mlir::Value load(mlir::Type type, int32_t field);
  mlir::Value addNumber(int32_t field, uint32_t own);

  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Value record;
};

/// The type of prof_rt_part.
mlir::LLVM::LLVMStructType getPartType(mlir::MLIRContext *context);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBEPARTS_H
