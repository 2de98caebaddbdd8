//===- Colors.h - Structural hashes of growing depth ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_COLORS_H
#define MLIR_PROF_LIB_MODULE_ALIGN_COLORS_H

#include "Features.h"

namespace mlirprof::module::align {

/// One hash a node. Nodes of two modules with one color look alike as far as
/// the color sees.
using Colors = std::vector<Hash>;

/// Of all that a node is computed from, up to the arguments of the function.
/// `base` are the colors of single nodes. Nodes with an anchor have it as their
/// color, whatever is beyond them; 0 is no anchor.
Colors colorUp(const Features &features, const Colors &base,
               const Colors &anchors);

/// Of all that is computed from a node, down to the results of the function.
Colors colorDown(const Features &features, const Colors &base,
                 const Colors &anchors);

/// Of what is at most `radius` edges away (Weisfeiler and Lehman's refinement).
Colors colorAround(const Features &features, const Colors &base,
                   const Colors &anchors, unsigned radius);

/// Which nodes are computed from one with an anchor, and which have one
/// computed from them. Constants and what ends a block do not count.
std::vector<bool> findAnchorsAbove(const Features &features,
                                   const Colors &anchors);
std::vector<bool> findAnchorsBelow(const Features &features,
                                   const Colors &anchors);

/// Of the values of the constants that a node is computed from directly, or
/// through ops that see nothing but constants; 0 without.
enum class Constants { All, Weights };
Colors colorConstants(const Features &features,
                      Constants which = Constants::All);

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_COLORS_H
