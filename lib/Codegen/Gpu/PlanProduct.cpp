//===- PlanProduct.cpp - Tiles of matrix products -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Processors of a large GPU, and of those with warpgroups.
static constexpr int64_t kProcessors = 108, kWarpgroupProcessors = 132;

static int64_t countTiles(const GpuProduct &product, const GpuPlan &plan) {
  return product.batchSize *
         int64_t(llvm::divideCeil(product.rowSize, plan.rows)) *
         int64_t(llvm::divideCeil(product.columnSize, plan.columns));
}

/// The largest tile of which there is one for half of all processors: the
/// larger, the fewer bytes of shared memory a product reads, which is worth
/// more than the processors that do not have any. A warpgroup has 64 rows, or
/// 128 of the largest tile. Stages are as many as fit in the shared memory of a
/// processor, up to six.
static void planWarpgroups(const GpuProduct &product, GpuPlan &plan) {
  struct Tile {
    int64_t rows, columns, threads, stages;
  };
  constexpr Tile kTiles[] = {{256, 128, 256, 4},
                             {128, 128, 256, 6},
                             {64, 128, 128, 6},
                             {64, 64, 128, 6}};
  plan.strategy = GpuStrategy::Warpgroup;
  plan.depth = 64;
  for (const Tile &tile : kTiles) {
    plan.rows = tile.rows;
    plan.columns = tile.columns;
    plan.threads = tile.threads;
    plan.stages = tile.stages;
    if (2 * countTiles(product, plan) >= kWarpgroupProcessors)
      return;
  }
}

void codegen::planProduct(const GpuProduct &product, bool hasWarpgroups,
                          GpuPlan &plan) {
  plan.strategy = GpuStrategy::Product;
  plan.width = 1;
  plan.depth = 8;
  plan.rows = plan.columns = 128;
  if (fitsTensorCores(product)) {
    plan.strategy = GpuStrategy::TensorCore;
    plan.depth = 32;
    if (!fitsAsyncCopies(product))
      return;
    // As many as a module may declare.
    plan.stages = 3;
    if (hasWarpgroups)
      planWarpgroups(product, plan);
    return;
  }
  // The largest tile of which there are enough to keep all processors busy.
  if (countTiles(product, plan) < kProcessors) {
    plan.rows = plan.columns = 64;
    plan.depth = 16;
  }
}
