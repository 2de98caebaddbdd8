//===- Names.h - Names that carry more than a place -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks number layers by place: layer_3 of one module is any layer of
// another one that has more or fewer. Numbers that count up in both modules, up
// to another end or to other values, carry no more than the order does. Numbers
// in another order, or with one missing between others, were kept.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_NAMES_H
#define MLIR_PROF_LIB_MODULE_ALIGN_NAMES_H

#include "Colors.h"

namespace mlirprof::module::align {

/// By node, the hash of its name if that carries more than its place; else 0.
struct TellingNames {
  TellingNames(const Features &before, const Features &after);
  Colors before, after;
  /// Names among these whose numbers were kept: no framework would count so.
  Colors keptBefore, keptAfter;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_NAMES_H
