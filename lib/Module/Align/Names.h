//===- Names.h - Names that tell more than a place --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks number layers by their place: layer_3 of one module is any layer
// of another one that has more or fewer. Numbers that count up in both modules,
// up to another end or to other values, say no more than the order does.
// Numbers in another order, or of which one between others is gone, were kept.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_NAMES_H
#define MLIR_PROF_LIB_MODULE_ALIGN_NAMES_H

#include "Colors.h"

namespace mlirprof::module::align {

/// By node, the hash of its name where that tells more than its place; else 0.
struct TellingNames {
  TellingNames(const Features &before, const Features &after);
  Colors before, after;
  /// Of these, names whose numbers were kept: no framework would count so.
  Colors keptBefore, keptAfter;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_NAMES_H
