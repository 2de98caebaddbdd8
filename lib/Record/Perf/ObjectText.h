//===- ObjectText.h - The code in an object ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_PERF_OBJECTTEXT_H
#define MLIR_PROF_LIB_RECORD_PERF_OBJECTTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace mlirprof::record {

/// The bytes of each nonempty section of an ELF object that contains code; they
/// point into `object`.
llvm::Expected<std::vector<llvm::ArrayRef<uint8_t>>>
getTextSections(llvm::StringRef object);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_PERF_OBJECTTEXT_H
