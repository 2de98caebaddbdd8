//===- Writers.h - Declares all formats of advice ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_WRITERS_WRITERS_H
#define MLIR_PROF_LIB_ADVISE_WRITERS_WRITERS_H

#include "mlir-prof/Advise/Advise.h"

namespace mlirprof::advise::writer {
#define MLIRPROF_ADVICE_WRITER(NAME) AdviceWriter NAME();
#include "Writers.def"
} // namespace mlirprof::advise::writer

#endif // MLIR_PROF_LIB_ADVISE_WRITERS_WRITERS_H
