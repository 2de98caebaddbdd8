//===- EmitPipelined.cpp - Products with asynchronous copies --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Shared memory has several tiles of each operand, the stages: while tensor
// cores multiply one, the next ones are copied. One barrier for each tile says
// both that its copies are done in all threads, and that the tile which the
// next copies replace is not read any more: with instructions of a warp, that
// of the last iteration; with those of a warpgroup, which still run, the one
// before.
//
//===----------------------------------------------------------------------===//

#include "Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {
class PipelinedProduct : ProductTile {
public:
  PipelinedProduct(GpuKernel &kernel, GpuProduct given)
      : ProductTile(kernel, std::move(given)),
        steps(llvm::divideCeil(product.depthSize, depth)),
        left(kernel, product, product.left, product.row, product.rowSize,
             kernel.plan.rows),
        right(kernel, product, product.right, product.column,
              product.columnSize, kernel.plan.columns) {}

  FailureOr<GpuGrid> emit();

private:
  bool hasWarpgroups() const {
    return kernel.plan.strategy == GpuStrategy::Warpgroup;
  }
  /// How many tiles are copied ahead of the one that is multiplied.
  int64_t getLead() const {
    return kernel.plan.stages - (hasWarpgroups() ? 2 : 1);
  }
  void place();
  SmallVector<Value> getZeros();
  void copyTiles(Value number);
  void copyNext(Value number);
  void waitForTile();
  SmallVector<Value> add(Value stage, SmallVector<Value> sums);
  SmallVector<Value> sumUp();
  SmallVector<ProductPiece> getPieces() const;

  int64_t steps;
  AsyncOperand left, right;
  std::optional<WarpProducts> warps;
  std::optional<Warpgroups> warpgroups;
};
} // namespace

void PipelinedProduct::place() {
  placeTile();
  if (hasWarpgroups()) {
    warpgroups.emplace(kernel, location, thread);
    std::tie(row, column) = warpgroups->getPlace();
  } else {
    warps.emplace(builder, location, thread, kernel.plan);
    std::tie(row, column) = warps->getPlace();
  }
}

SmallVector<ProductPiece> PipelinedProduct::getPieces() const {
  return hasWarpgroups()
             ? getMatrixPieces(warpgroups->getRowCount(), kernel.plan.columns,
                               Warpgroups::kRows)
             : getMatrixPieces(WarpProducts::kRows, WarpProducts::kColumns, 16);
}

SmallVector<Value> PipelinedProduct::getZeros() {
  if (hasWarpgroups())
    return warpgroups->getZeros(getSumType());
  Value zero = arith::ConstantOp::create(builder, location,
                                         builder.getZeroAttr(getSumType()));
  return SmallVector<Value>(2 * getPieces().size(), zero);
}

/// Starts the copies of both tiles `number` of the depth.
void PipelinedProduct::copyTiles(Value number) {
  Value stage = math.remainder(number, kernel.plan.stages);
  Value step = math.multiply(number, math.constant(depth));
  left.copy(thread, batch, firstRow, step, stage);
  right.copy(thread, batch, firstColumn, step, stage);
}

/// The same if there is a tile `number`. The group of copies exists anyway, so
/// that waiting counts groups.
void PipelinedProduct::copyNext(Value number) {
  {
    OpBuilder::InsertionGuard guard(builder);
    auto fork =
        scf::IfOp::create(builder, location, math.isBelow(number, steps),
                          /*withElseRegion=*/false);
    builder.setInsertionPointToStart(fork.thenBlock());
    copyTiles(number);
  }
  NVVM::CpAsyncCommitGroupOp::create(builder, location);
}

/// Waits until the oldest tile that was copied is there for all threads.
void PipelinedProduct::waitForTile() {
  NVVM::CpAsyncWaitGroupOp::create(builder, location, unsigned(getLead() - 1));
  // Copies and instructions of warpgroups access memory in different ways.
  if (hasWarpgroups())
    NVVM::FenceProxyOp::create(
        builder, location,
        NVVM::ProxyKindAttr::get(builder.getContext(),
                                 NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(builder.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  gpu::BarrierOp::create(builder, location);
}

/// Adds the products of the tiles `stage`.
SmallVector<Value> PipelinedProduct::add(Value stage, SmallVector<Value> sums) {
  if (hasWarpgroups())
    return warpgroups->start(left, right, stage, sums);
  auto read = [&](const AsyncOperand &operand) {
    return MatrixOperand{operand.getMemory(), operand.isDepthInner(),
                         [&operand, stage](Value line, Value step) {
                           return operand.index(stage, line, step);
                         }};
  };
  return warps->add(read(left), read(right), depth, std::move(sums));
}

/// The sums of the thread over the whole depth.
SmallVector<Value> PipelinedProduct::sumUp() {
  for (int64_t number = 0; number < getLead(); ++number)
    copyNext(math.constant(number));
  auto loop =
      scf::ForOp::create(builder, location, math.constant(0),
                         math.constant(steps), math.constant(1), getZeros());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value stage = math.remainder(number, kernel.plan.stages);
  Value next = math.add(number, math.constant(getLead()));
  SmallVector<Value> sums(loop.getRegionIterArgs());
  waitForTile();
  if (!hasWarpgroups())
    copyNext(next);
  sums = add(stage, std::move(sums));
  if (hasWarpgroups()) {
    copyNext(next);
    warpgroups->wait(1);
  }
  scf::YieldOp::create(builder, location, sums);
  return SmallVector<Value>(loop.getResults());
}

FailureOr<GpuGrid> PipelinedProduct::emit() {
  place();
  SmallVector<Value> sums = sumUp();
  if (hasWarpgroups()) {
    warpgroups->wait(0);
    sums = warpgroups->getNumbers(sums);
  }
  if (failed(store(getPieces(), sums)))
    return failure();
  return getGrid();
}

/// Whether the code of `product` can be as `plan` says.
static bool fits(const GpuProduct &product, const GpuPlan &plan) {
  bool isWarpgroup = plan.strategy == GpuStrategy::Warpgroup;
  auto isDivided = [&](int64_t lines, bool isInner) {
    int64_t along = isInner ? lines : plan.depth;
    return along % AsyncOperand::kGroup == 0 &&
           plan.threads % (along / AsyncOperand::kGroup) == 0 &&
           lines * plan.depth % (AsyncOperand::kGroup * plan.threads) == 0;
  };
  return plan.stages >= (isWarpgroup ? 3 : 2) && fitsAsyncCopies(product) &&
         (isWarpgroup ? Warpgroups::fits(plan) : WarpProducts::fits(plan)) &&
         isDivided(plan.rows, true) && isDivided(plan.rows, false) &&
         isDivided(plan.columns, true) && isDivided(plan.columns, false);
}

bool codegen::fitsAsyncCopies(const GpuProduct &product) {
  return fitsTensorCores(product) &&
         AsyncOperand::fits(product, product.left) &&
         AsyncOperand::fits(product, product.right);
}

FailureOr<GpuGrid> codegen::emitPipelined(GpuKernel &kernel) {
  LinalgOp root = findRoot(kernel.function, kernel.outputs);
  std::optional<GpuProduct> product =
      root ? findProduct(root, kernel.outputs.front()) : std::nullopt;
  if (!product || !fits(*product, kernel.plan))
    return kernel.function.emitOpError(
        "cannot be computed as its plan says: stages are for products of "
        "arguments in f16 or bf16 whose tiles the threads divide, in groups "
        "of 16 bytes");
  return PipelinedProduct(kernel, *product).emit();
}
