//===- HloSteps.h - Steps of an alignment by data ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared in the order in which they run. HloNear comes after them, and
// alignByData, which calls all, writes what they found into the matches.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLOSTEPS_H
#define MLIR_PROF_LIB_MATCH_HLO_HLOSTEPS_H

#include "HloPairing.h"

namespace mlirprof::match {

/// Fills both graphs, the products of both sides and `folded`. Needs only the
/// matches that the program has. False when a side does not have a product.
bool collectProducts(HloPairing &pairing);

/// Whether several devices share the work: parts have other sizes.
bool isForDevices(const HloProgram &program);

/// Whether the program was made from another state of the module. Needs the
/// products; changes none of them.
bool hasChanged(HloPairing &pairing);

/// Fills the tables of labels, and gives each product its labels. Needs the
/// products; to be called once.
void addLabels(HloPairing &pairing);

/// Pairs the products by their labels, their sizes, and their order along the
/// data. Needs the labels; leaves `found`, `contested` and `spare`.
void pairProducts(HloPairing &pairing);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLOSTEPS_H
