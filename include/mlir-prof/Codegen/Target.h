//===- Target.h - The code generator's model of a machine -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_TARGET_H
#define MLIR_PROF_CODEGEN_TARGET_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace mlirprof::codegen {

/// The aim where fast code is larger than other code.
/// A balance makes the kernels with most of the work fast, others small.
enum class CodeGoal : uint8_t { Speed, Balance, Size };

/// The machine properties that the rules of the default pipeline use.
struct TargetModel {
  /// Names as in LLVM; an empty triple or processor is that of this machine.
  std::string triple;
  std::string cpu;
  std::string features;
  /// How functions pass arguments ("aapcs-vfp", "lp64d"); empty for what is
  /// usual with the triple.
  std::string abi;
  /// Bits of an address, and of an index.
  unsigned addressBits = 64;
  /// Whether code runs at whatever address a loader puts it, as code for an
  /// operating system always does.
  bool isMovable = false;
  CodeGoal goal = CodeGoal::Speed;
  /// Whether code may allocate memory. If not, its caller passes the memory of
  /// results and of all buffers.
  bool hasHeap = true;
  /// Whether code contains the assertions that its accesses and sizes are good.
  bool isChecked = true;
  /// Bits of a vector register; 8 for a machine without vectors.
  unsigned vectorBits = 512;
  unsigned vectorRegisters = 32;
  uint64_t l1Bytes = 32 << 10;
  uint64_t l2Bytes = 1 << 20;
  /// Number of threads that the code may use.
  unsigned threads = 1;
  /// Whether exp, tanh and similar functions may be approximated by
  /// polynomials; compileModel sets it from CompileOptions.
  bool polynomials = true;
  /// The error that a faster algorithm may introduce in an op, relative to the
  /// op's largest result; compileModel sets it from CompileOptions.
  double maxError = 2e-6;
};

/// Whether the target has registers of several numbers. Without them, rules
/// compute one number at a time.
inline bool hasVectors(const TargetModel &target) {
  return target.vectorBits >= 64;
}

/// The triple of GPUs.
inline constexpr llvm::StringLiteral kGpuTriple = "nvptx64-nvidia-cuda";

/// Whether the target is a GPU.
inline bool isGpu(const TargetModel &target) {
  return llvm::StringRef(target.triple).starts_with("nvptx");
}

/// A GPU whose processors are `cpu` ("sm_90"); if empty, those that all GPUs
/// with the instructions of the code generator have. A usage error if LLVM does
/// not know `cpu`, or if it is older.
llvm::Expected<TargetModel> getGpuTarget(llvm::StringRef cpu);

/// Whether the target has tensor cores for products of four warps (wgmma).
bool hasWarpgroups(const TargetModel &target);

/// Whether the target does not have an operating system.
bool isBareMetal(const TargetModel &target);

/// Whether code for the target runs at any address.
inline bool isPositionIndependent(const TargetModel &target) {
  return target.isMovable || !isBareMetal(target);
}

/// This machine, from its features and /sys.
TargetModel getHostTarget(unsigned threads);

/// This machine, held to the instructions that the processor `cpu` has too; a
/// usage error if LLVM does not know `cpu`.
llvm::Expected<TargetModel> getTarget(unsigned threads, llvm::StringRef cpu);

/// Whether the target's features include `name`. Features that are not listed
/// are assumed absent.
inline bool hasFeature(const TargetModel &target, llvm::StringRef name) {
  return llvm::any_of(llvm::split(target.features, ','),
                      [&](llvm::StringRef feature) {
                        return feature.consume_front("+") && feature == name;
                      });
}

/// Gives `target`, a processor of x86, the vector registers that its features
/// bring.
void setX86Registers(TargetModel &target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_TARGET_H
