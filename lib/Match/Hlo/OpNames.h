//===- OpNames.h - Names in HLO metadata ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_OPNAMES_H
#define MLIR_PROF_LIB_MATCH_HLO_OPNAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::match {

/// The names in an instruction's op_name: "a;b" is a and b, and "p/(x:y)", the
/// form of combined collectives, is p/x and p/y. Without repeats.
llvm::SmallVector<std::string, 1> expandOpName(llvm::StringRef opName);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_OPNAMES_H
