//===- KnownPairs.h - Pairs that one property tells -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_KNOWNPAIRS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_KNOWNPAIRS_H

#include "Pairing.h"

namespace mlirprof::module::align {

/// Pairs functions, arguments, and ops that their values or names tell.
class KnownPairs : public Pairing {
public:
  using Pairing::Pairing;

protected:
  void pairFunctions();
  void forgetResultPlaces();
  void pairByConstants();
  void pairByNames();
  void pairArguments();
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_KNOWNPAIRS_H
