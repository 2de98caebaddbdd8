//===- EmitKernels.cpp - Code of kernels for GPUs -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_EMITKERNELSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// A GPU's largest grid along x.
static constexpr int64_t kMostWorkgroups = (int64_t(1) << 31) - 1;

/// The sums of a thread with which two workgroups of 256 threads have enough
/// registers.
static constexpr int64_t kMostSums = 64;

GpuKernel::GpuKernel(func::FuncOp function, const GpuPlan &plan)
    : function(function), plan(plan), outputs(findOutputs(function)),
      builder(function.getBody().front().getTerminator()), elements(builder) {}

Value GpuKernel::getThread() {
  return gpu::ThreadIdOp::create(builder, function.getLoc(), gpu::Dimension::x,
                                 builder.getIndexAttr(plan.threads));
}

Value GpuKernel::getWorkgroup(int64_t size) {
  return gpu::BlockIdOp::create(builder, function.getLoc(), gpu::Dimension::x,
                                builder.getIndexAttr(size));
}

Value GpuKernel::addShared(ArrayRef<int64_t> shape, Type type,
                           int64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  auto memory = MemRefType::get(shape, type, AffineMap(),
                                builder.getI64IntegerAttr(kSharedMemory));
  return memref::AllocaOp::create(builder, function.getLoc(), memory,
                                  builder.getI64IntegerAttr(alignment));
}

void GpuKernel::store(const GpuOutput &output, ArrayRef<Value> indices,
                      Value value) {
  Location location = output.tensor.getLoc();
  IndexBuilder math(builder, location);
  SmallVector<Value> places(indices);
  if (!output.dimensions.empty()) {
    places.clear();
    for (auto [offset, dim] :
         llvm::zip_equal(output.offsets, output.dimensions)) {
      std::optional<int64_t> known = getConstantIntValue(offset);
      Value begin = known ? math.constant(*known) : cast<Value>(offset);
      places.push_back(dim < 0 ? begin : math.add(begin, indices[dim]));
    }
  }
  memref::StoreOp::create(builder, location, value, output.buffer, places);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Computes the elements of `output` that belong to the thread `number` of the
/// grid.
static LogicalResult emitGroup(GpuKernel &kernel, const GpuOutput &output,
                               Value number) {
  IndexBuilder math(kernel.builder, output.tensor.getLoc());
  int64_t width = kernel.plan.width;
  SmallVector<int64_t> groups(output.getShape());
  if (!groups.empty())
    groups.back() /= width;
  SmallVector<Value> begin = math.split(number, groups);
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> values;
  for (int64_t i = 0; i != width; ++i) {
    SmallVector<Value> indices = begin;
    if (!indices.empty())
      indices.back() = math.add(
          math.multiply(begin.back(), math.constant(width)), math.constant(i));
    FailureOr<Value> value = kernel.elements.get(output.tensor, indices);
    if (failed(value))
      return failure();
    values.push_back(*value);
    places.push_back(std::move(indices));
  }
  for (auto [indices, value] : llvm::zip_equal(places, values))
    kernel.store(output, indices, value);
  return success();
}

FailureOr<GpuGrid> codegen::emitElements(GpuKernel &kernel) {
  OpBuilder &builder = kernel.builder;
  auto countThreads = [&](const GpuOutput &output) {
    int64_t count = 1;
    for (int64_t size : output.getShape())
      count *= size;
    return llvm::divideCeil(count, kernel.plan.width);
  };
  int64_t most = 0;
  for (const GpuOutput &output : kernel.outputs)
    most = std::max<int64_t>(most, countThreads(output));
  int64_t grid = llvm::divideCeil(most, kernel.plan.threads);
  IndexBuilder math(builder, kernel.function.getLoc());
  Value number = math.add(math.multiply(kernel.getWorkgroup(grid),
                                        math.constant(kernel.plan.threads)),
                          kernel.getThread());
  for (const GpuOutput &output : kernel.outputs) {
    OpBuilder::InsertionGuard guard(builder);
    int64_t count = countThreads(output);
    if (count != grid * kernel.plan.threads) {
      auto inside =
          scf::IfOp::create(builder, output.tensor.getLoc(),
                            math.isBelow(number, count), /*withElse=*/false);
      builder.setInsertionPointToStart(inside.thenBlock());
    }
    if (failed(emitGroup(kernel, output, number)))
      return failure();
  }
  return GpuGrid{std::max<int64_t>(grid, 1), 1, 1};
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Erases the ops on tensors, whose code is made.
static void eraseTensors(func::FuncOp kernel) {
  Block &block = kernel.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isa<bufferization::MaterializeInDestinationOp>(op) ||
        isOpTriviallyDead(&op))
      op.erase();
  }
}

/// The first value of `kernel` whose size is not known.
static Value findDynamic(func::FuncOp kernel) {
  Value found;
  kernel.walk([&](Operation *op) {
    for (Value value : op->getOperands()) {
      auto type = dyn_cast<ShapedType>(value.getType());
      if (type && !type.hasStaticShape()) {
        found = value;
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return found;
}

static LogicalResult emitKernel(func::FuncOp function, const GpuPlan &plan) {
  if (Value value = findDynamic(function))
    return emitError(value.getLoc())
           << "has the type " << value.getType()
           << ", whose size is not known: code for a GPU needs sizes, so give "
              "the model's inputs fixed shapes";
  GpuKernel kernel(function, plan);
  FailureOr<GpuGrid> grid = failure();
  switch (plan.strategy) {
  case GpuStrategy::Elements:
    grid = emitElements(kernel);
    break;
  case GpuStrategy::Reduction:
    grid = emitReduction(kernel);
    break;
  case GpuStrategy::Rows:
    grid = emitRows(kernel);
    break;
  case GpuStrategy::Product:
  case GpuStrategy::TensorCore:
  case GpuStrategy::Warpgroup:
    grid = plan.stages == 0 ? emitProduct(kernel) : emitPipelined(kernel);
    break;
  }
  if (failed(grid))
    return failure();
  if ((*grid)[0] > kMostWorkgroups)
    return function.emitOpError("needs more workgroups than a GPU runs");
  eraseTensors(function);
  Builder builder(function.getContext());
  function->removeAttr(kGpuPlan);
  function->setAttr(kPhaseGrid, builder.getDenseI32ArrayAttr(
                                    {int32_t((*grid)[0]), int32_t((*grid)[1]),
                                     int32_t((*grid)[2])}));
  function->setAttr(
      kPhaseBlock, builder.getDenseI32ArrayAttr({int32_t(plan.threads), 1, 1}));
  // The sums of a thread need more registers than two workgroups can have.
  if (plan.rows * plan.columns > kMostSums * plan.threads)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(1));
  return success();
}

namespace {

struct EmitKernelsPass
    : mlirprof::codegen::impl::EmitKernelsPassBase<EmitKernelsPass> {
  using EmitKernelsPassBase::EmitKernelsPassBase;

  /// Products need these.
  void getDependentDialects(DialectRegistry &registry) const override {
    EmitKernelsPassBase::getDependentDialects(registry);
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect, nvgpu::NVGPUDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isTensorKernel(kernel))
      return;
    std::optional<GpuPlan> plan = planKernel(kernel, /*hasWarpgroups=*/false);
    if (auto given = kernel->getAttrOfType<DictionaryAttr>(kGpuPlan))
      plan = toPlan(given);
    if (!plan) {
      kernel.emitOpError("has a plan '")
          << kGpuPlan << "' that is not one of gpu-choose-tiles";
      return signalPassFailure();
    }
    if (failed(emitKernel(kernel, *plan)))
      signalPassFailure();
  }
};

} // namespace
