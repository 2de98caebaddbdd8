//===- Steps.h - Steps of an alignment --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step pairs or settles some of the nodes that the steps before left open,
// and only those. They are declared in the order in which they run; strict ones
// come first, since each pair is an anchor for all later steps. All need the
// modules (node 0) and functions paired, unless they say otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_STEPS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_STEPS_H

#include "Pairing.h"
#include "Pointers.h"

namespace mlirprof::module::align {

//===----------------------------------------------------------------------===//
// Once: what one property tells (KnownPairs.cpp)
//===----------------------------------------------------------------------===//

/// Pairs the modules and their functions. The first step: needs nothing.
void pairFunctions(Pairing &pairing);

/// Changes the features of both sides, but pairs nothing: results of a function
/// with another number of results are equal uses. Before all steps that color.
void forgetResultPlaces(Pairing &pairing);

/// Pairs constants, and ops on constants, by their values. Sets
/// `haveSameValues`, after which other values count as contrary.
void pairByConstants(Pairing &pairing);

/// Pairs ops by names that tell what moved. Needs the pairs of constants, which
/// show whether names were numbered anew; sets `areNumberedAnew`, after which
/// names do not count.
void pairByNames(Pairing &pairing);

/// Pairs arguments of functions. Needs the pairs of constants and names, which
/// tell arguments that were exchanged.
void pairArguments(Pairing &pairing);

//===----------------------------------------------------------------------===//
// In rounds: all above, all below, and neighbors
//===----------------------------------------------------------------------===//

/// Pairs by all that an op is computed from, and all that is computed from it.
/// Leaves in `pointers` what the nodes that were open at its start point to.
/// Returns the number of new pairs.
size_t pairByStructure(Pairing &pairing, BothPointers &pointers);

/// Pairs by the counterparts of neighbors, but for nodes that are tied in
/// `pointers`, which are those of the last of the two structure steps. Returns
/// the number of new pairs.
size_t pairBySurroundings(Pairing &pairing, const BothPointers &pointers);

//===----------------------------------------------------------------------===//
// Once: nodes that have more than one counterpart, or none
//===----------------------------------------------------------------------===//

/// Settles the ops that pairByStructure left undecided, which is when its
/// rounds have ended: they share the time of what they point to, or are
/// contested. Leaves their pointers, as pairByStructure does.
void sharePointedTo(Pairing &pairing, BothPointers &pointers);

/// Settles ops of which several were one, or one was several. Needs the users
/// paired or settled.
void pairMerged(Pairing &pairing);

//===----------------------------------------------------------------------===//
// Ops that have other sizes or another form now (SizePairs.cpp)
//===----------------------------------------------------------------------===//

/// Pairs ops that differ in sizes between the same anchors, in rounds with
/// pairBySurroundings. Returns the number of new pairs.
size_t pairOtherSizes(Pairing &pairing);

/// Pairs products that became other ops and kept their names.
void pairRewritten(Pairing &pairing);

/// Pairs what is alike above or below but for sizes, where each size became one
/// other size. Needs all pairs of which the sizes are known.
void pairScaled(Pairing &pairing);

//===----------------------------------------------------------------------===//
// Once, at the end: the nodes that are left (LeftPairs.cpp)
//===----------------------------------------------------------------------===//

/// Pairs by the order in a block, between two pairs.
void pairByOrder(Pairing &pairing);

/// Lets ops that look alike nearby share the time. They stay open.
void shareTheRest(Pairing &pairing);

/// Marks ops that one new op may continue, if nothing is known of them. The
/// last step: pairs nothing.
void contestBetween(Pairing &pairing);

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_STEPS_H
