//===- HloFrames.h - Stack frames of HLO protos -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_HLO_HLOFRAMES_H
#define MLIR_PROF_LIB_IMPORT_HLO_HLOFRAMES_H

#include "mlir-prof/Profile/HloModule.h"
#include "mlir-prof/Support/Loss.h"
#include "mlir-prof/Support/MemoryBudget.h"

#include "mlir-prof/Support/ProtoReader.h"

namespace mlirprof::importer {

/// Reads a StackFrameIndexProto: the Python frames to which instructions refer
/// by number. Throws protozero's exceptions.
std::vector<profile::SourceFrame>
readStackFrames(ProtoReader reader, LossList &losses, MemoryBudget &budget);

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_HLO_HLOFRAMES_H
