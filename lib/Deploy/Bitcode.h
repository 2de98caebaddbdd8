//===- Bitcode.h - Code of the runtime in the tool --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_BITCODE_H
#define MLIR_PROF_LIB_DEPLOY_BITCODE_H

#include "llvm/ADT/StringRef.h"

/// Declares the bytes of NAME.bc, a file that the build made
/// (runtime/CMakeLists.txt); once for each file, outside of namespaces.
#define MLIRPROF_BITCODE(NAME)                                                 \
  extern "C" const char prof_bitcode_##NAME[], prof_bitcode_##NAME##_end[];    \
  __asm__(".pushsection .rodata,\"a\",@progbits\n"                             \
          ".globl prof_bitcode_" #NAME "\n"                                    \
          ".hidden prof_bitcode_" #NAME "\n"                                   \
          ".balign 8\n"                                                        \
          "prof_bitcode_" #NAME ":\n"                                          \
          ".incbin \"" MLIRPROF_BITCODE_FOLDER "/" #NAME ".bc\"\n"             \
          ".globl prof_bitcode_" #NAME "_end\n"                                \
          ".hidden prof_bitcode_" #NAME "_end\n"                               \
          "prof_bitcode_" #NAME "_end:\n"                                      \
          ".popsection\n")

/// The bytes, a StringRef.
#define MLIRPROF_BYTES(NAME)                                                   \
  llvm::StringRef(prof_bitcode_##NAME,                                         \
                  size_t(prof_bitcode_##NAME##_end - prof_bitcode_##NAME))

#endif // MLIR_PROF_LIB_DEPLOY_BITCODE_H
