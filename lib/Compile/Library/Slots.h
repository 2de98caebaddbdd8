//===- Slots.h - Where code finds the constants of models -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_LIBRARY_SLOTS_H
#define MLIR_PROF_LIB_COMPILE_LIBRARY_SLOTS_H

#include "mlir-prof/Compile/Compiler.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace mlirprof::compile {

/// The section of constants (see prof_model_file.h) of `library`, an ELF file,
/// whose `constants` have the `addresses`.
llvm::Expected<std::string>
writeSlots(llvm::StringRef library, llvm::ArrayRef<ExternalConstant> constants,
           const llvm::StringMap<uint64_t> &addresses);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_LIBRARY_SLOTS_H
