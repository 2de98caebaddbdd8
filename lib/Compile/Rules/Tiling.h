//===- Tiling.h - Loops around tiles -----------------------------*- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What rules share: tiling into loops whose tiles all have a static size, with
// producers fused into them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_RULES_TILING_H
#define MLIR_PROF_LIB_COMPILE_RULES_TILING_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

namespace mlirprof {

/// A loop over the tiles of [begin, end) of one iteration dimension. Tiles have
/// exactly `size` elements: either the range is a multiple of it, or `clamp`
/// moves the last tile back over its predecessor, which computes some elements
/// twice, and the range must not be shorter than a tile.
struct TileLoop {
  unsigned dimension = 0;
  mlir::OpFoldResult begin;
  mlir::OpFoldResult end;
  int64_t size = 1;
  bool clamp = false;
};

enum class LoopKind : uint8_t {
  /// scf.for
  Sequential,
  /// scf.forall; for one loop, or several that do not clamp.
  Parallel,
};

/// Which producers to fuse into the loops.
using FuseFilter = llvm::function_ref<bool(mlir::Operation *producer)>;

struct TileNest {
  /// The root's tile and the fused producers' tiles, the root's first.
  llvm::SmallVector<mlir::Operation *> tiles;
  /// Outermost first.
  llvm::SmallVector<mlir::LoopLikeOpInterface> loops;

  mlir::Operation *getRoot() const { return tiles.front(); }
};

/// Tiles `root` by `loops`, outermost first, over parallel dimensions; the
/// others stay whole, and so do all when there are no loops (then nothing
/// changes). Producers that `fuse` accepts move into the loops, also producers
/// of producers. All of [0, extent) of a tiled dimension that `loops` leaves
/// out keeps the values of the root's destination. The root's uses are
/// replaced and the root erased.
mlir::FailureOr<TileNest> tileAndFuse(mlir::RewriterBase &rewriter,
                                      mlir::TilingInterface root,
                                      llvm::ArrayRef<TileLoop> loops,
                                      LoopKind kind, FuseFilter fuse);

/// A range of one dimension, cut into loops of static tiles one after another.
/// For a static extent: as many tiles of `size` as there are, then the rest in
/// tiles of the smaller powers of two or, where `clamp` allows it and the
/// extent is at least one tile of the next power of two, in one clamped tile.
/// For a dynamic extent: tiles of `size`, then of the smaller powers of two.
/// `size` is a power of two.
llvm::SmallVector<TileLoop> cutIntoTiles(mlir::OpBuilder &builder,
                                         mlir::Location location,
                                         unsigned dimension,
                                         mlir::OpFoldResult extent,
                                         int64_t size, bool clamp);

/// Tiles `root` once for each combination of one loop of each list of
/// `dimensions` (outermost first), one nest after another, so that together
/// they cover the root. `root` must not read its destination.
mlir::FailureOr<llvm::SmallVector<TileNest>>
tileInPieces(mlir::RewriterBase &rewriter, mlir::TilingInterface root,
             llvm::ArrayRef<llvm::SmallVector<TileLoop>> dimensions,
             LoopKind kind, FuseFilter fuse);

/// Lanes of a vector register for `type`; 1 for types without a size.
int64_t getLanes(const TargetModel &target, mlir::Type type);

/// The extents of the root's iteration dimensions; attributes where static.
llvm::SmallVector<mlir::OpFoldResult> getExtents(mlir::OpBuilder &builder,
                                                 mlir::Operation *root);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_RULES_TILING_H
