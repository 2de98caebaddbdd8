//===- Instrument.h - Probes in compiled code -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of the passes that place probes and turn them into code.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_INSTRUMENT_H
#define MLIR_PROF_TRANSFORMS_INSTRUMENT_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <vector>

namespace mlirprof::transforms {

/// Erases all probes and recorded values of `module`, with a warning that
/// states their number, so that tools that do not know them can compile it.
void dropProbes(mlir::ModuleOp module);
/// Makes the translation to LLVM IR drop probes that were not lowered, with a
/// warning per function, instead of failing.
void registerProbeTranslation(mlir::DialectRegistry &registry);

/// Marks a loop that computes several ops of a model block by block: probes of
/// ops go into it.
inline constexpr llvm::StringLiteral kBlockLoop = "mlirprof.blocks";

/// The symbol that describes a module's probes to the runtime (prof_rt_module).
inline constexpr llvm::StringLiteral kDescriptionSymbol = "__prof_rt_module";
/// The section of an object that gets the serialized program when the code of
/// its kernels is known, and where the description has its length then.
inline constexpr llvm::StringLiteral kMetadataSection = ".rodata.prof_rt";
inline constexpr uint64_t kMetadataSizeOffset = 56;

/// The probes and value tables of a kernel, a module of its own that several
/// dispatches run.
struct KernelProbes {
  /// By probe: the one around it, or kNone.
  std::vector<uint32_t> parents;
  /// By table: the length of its tuples.
  std::vector<uint32_t> tupleLengths;
};

/// Makes prof-lower-probes on `module`, the host side, reserve probes of
/// `kernels` for each dispatch: `kernelOf` has the index of its kernel. In the
/// program of the whole model, the probes of all kernels follow those of the
/// host side's program, kernel by kernel, and so do the tables.
void setKernelProbes(mlir::ModuleOp module,
                     llvm::ArrayRef<KernelProbes> kernels,
                     llvm::ArrayRef<uint32_t> kernelOf);

/// How a probe is lowered.
enum class ProbeCode : uint8_t { Inline, Call, Drop };

/// The clock that an inline probe reads.
enum class ProbeClock : uint8_t { Cycles, Runtime };

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_INSTRUMENT_H
