//===- Ascend.h - Files of Ascend's devices ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_ASCEND_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_ASCEND_H

#include "Files.h"
#include "Recording.h"

namespace mlirprof::importer::mindspore {

/// Reads the raw files of an Ascend device, and where one is gone the text that
/// MindSpore's analysis made of it.
void readAscend(const RankFiles &files, Recording &recording);

/// Reads aicore.data: counts of floating point operations, 128 bytes a task.
void readPmu(llvm::ArrayRef<llvm::StringRef> slices,
             const class TaskTable &table, Recording &recording);

/// Reads flops_N.txt: millions of floating point operations in one execution of
/// each op, of which `recording` has the executions already.
void readFlopsText(llvm::StringRef text, Recording &recording);

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_ASCEND_H
