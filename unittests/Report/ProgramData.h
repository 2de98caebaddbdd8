//===- ProgramData.h - A small recording by mlir-prof -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_REPORT_PROGRAMDATA_H
#define MLIR_PROF_UNITTESTS_REPORT_PROGRAMDATA_H

#include "mlir-prof/Profile/Profile.h"

using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace mlirprof::test {

/// A sampled run of four iterations of a program with three levels; what is in
/// brackets are the nodes that a node came from:
///   input   0 func main
///           1   linalg.matmul    fc1
///           2   linalg.generic   relu
///           3     arith.maximumf
///           6   func.call        use       calls helper
///           4 func helper
///           5   linalg.generic   exp
///   loops   7 func main
///           8   scf.for [1]      4 trips
///           9     scf.for [1]
///          10       arith.mulf [1]
///          11     scf.for [2]    8 trips
///          12       arith.maximumf [3]
///          13     arith.addf [1]
///          14   math.exp [5]     inlined through 6
///   llvm   15 llvm.func [7]
///          16 llvm.fmul [10]  17 llvm.intr.maximum [12]  18 llvm.fadd [13]
///          19 llvm.call [14]
/// and instructions with samples of 1000 ps:
///   0  main+0x0   llvm.fmul  5 samples, 1  main+0x4  llvm.fmul 3: a loop
///   2  main+0x8   llvm.intr.maximum 2: a loop
///   3  main+0xc   llvm.fadd 1
///   4  main+0x10  llvm.call 4, in libm's expf
///   5  main+0x14  no identity, 1
/// and 2 samples waiting, 1 outside.
Profile makeRecording();

/// Adds `count` measurements of 1000 ps.
void addSamples(Profile &profile, OpKey key, unsigned count);
OpKey codeKey(uint32_t instruction, llvm::StringRef name,
              llvm::StringRef kernel = "");
OpKey probeKey(uint32_t probe);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_REPORT_PROGRAMDATA_H
