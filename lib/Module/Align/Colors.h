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

/// One hash per node. Nodes of two modules with one color look alike as far as
/// the color sees.
using Colors = std::vector<Hash>;

/// Colors of everything from which a node is computed, up to the arguments of
/// the function. `base` are the colors of single nodes. An anchored node has
/// its anchor as its color, whatever is beyond it; 0 is not an anchor.
Colors colorUp(const Features &features, const Colors &base,
               const Colors &anchors);

/// Colors of everything computed from a node, down to the results of the
/// function.
Colors colorDown(const Features &features, const Colors &base,
                 const Colors &anchors);

/// Colors of the nodes at most `radius` edges away (Weisfeiler and Lehman's
/// refinement).
Colors colorAround(const Features &features, const Colors &base,
                   const Colors &anchors, unsigned radius);

/// The nodes that are computed from an anchored one, and those from which one
/// is computed. Constants and terminators do not count.
std::vector<bool> findAnchorsAbove(const Features &features,
                                   const Colors &anchors);
std::vector<bool> findAnchorsBelow(const Features &features,
                                   const Colors &anchors);

/// Colors of the values of the constants from which a node is computed,
/// directly or through ops that see only constants; 0 without.
enum class Constants { All, Weights };
Colors colorConstants(const Features &features,
                      Constants which = Constants::All);

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_COLORS_H
