//===- BufferizeGraph.cpp - Buffers for a list of dispatches --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's bufferization compares each write with each read of what may be
// the same buffer, and its deallocation follows ownership through all ops. The
// host side of most models is a list of dispatches, where both are known from
// the order: a dispatch writes to a new buffer, which is freed after its last
// use. cpu-plan-buffers then lets buffers share memory, so nothing is gained by
// sharing them here. Only a destination whose content matters is written in
// place, if nothing reads the old content later.
//
// Modules with anything else stay as they are.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/BufferizeGraph.h"
#include "BufferPlan.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <deque>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

static constexpr StringLiteral kWritable =
    bufferization::BufferizationDialect::kWritableAttrName;

//===----------------------------------------------------------------------===//
// Lists of dispatches
//===----------------------------------------------------------------------===//

static bool isMemory(Type type) {
  return isa<TensorType, BaseMemRefType>(type);
}

/// Whether `type` is a number, or a tensor that has a buffer of known size.
static bool isPlain(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.hasStaticShape() && !tensor.getEncoding()
                : !isMemory(type);
}

static bool isInList(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isPlain) ||
      !llvm::all_of(op->getResultTypes(), isPlain))
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isMemory(constant.getType()) ||
           isa<ElementsAttr>(constant.getValue());
  if (isa<tensor::EmptyOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          RunOp, func::ReturnOp>(op))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), isMemory) &&
         llvm::none_of(op->getResultTypes(), isMemory);
}

/// Whether an argument with `attribute` may have any buffer that nobody writes.
static bool allowsAnyBuffer(NamedAttribute attribute) {
  if (attribute.getName() == kWritable)
    return attribute.getValue() ==
           BoolAttr::get(attribute.getName().getContext(), false);
  return attribute.getName() != kVariable &&
         !isa_and_nonnull<bufferization::BufferizationDialect>(
             attribute.getNameDialect());
}

static bool hasPlainArguments(func::FuncOp function) {
  for (unsigned i = 0; i != function.getNumArguments(); ++i) {
    DictionaryAttr attributes = function.getArgAttrDict(i);
    if (!isPlain(function.getArgumentTypes()[i]) ||
        (attributes && !llvm::all_of(attributes, allowsAnyBuffer)))
      return false;
  }
  return true;
}

static bool isList(func::FuncOp function) {
  Region &body = function.getBody();
  return !isKernel(function) && body.hasOneBlock() &&
         hasPlainArguments(function) &&
         llvm::all_of(body.front(),
                      [](Operation &op) { return isInList(&op); });
}

/// Whether `function` is declared with types that have buffers, or without any.
static bool isDeclaration(func::FuncOp function) {
  auto isKnown = [&](Type type) {
    return !isMemory(type) ||
           (isKernel(function) && isa<RankedTensorType, MemRefType>(type));
  };
  return function.isExternal() &&
         llvm::all_of(function.getArgumentTypes(), isKnown) &&
         llvm::all_of(function.getResultTypes(), isKnown);
}

static bool isGraph(ModuleOp module) {
  bool hasRuns = false;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function ? !isa<memref::GlobalOp>(op)
                  : !isDeclaration(function) && !isList(function))
      return false;
    hasRuns |= function && !function.isExternal() &&
               !function.getBody().front().getOps<RunOp>().empty();
  }
  return hasRuns;
}

static Type getBufferType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType())
                : type;
}

/// Gives `function` buffers for tensors.
static void convertType(func::FuncOp function) {
  SmallVector<Type> arguments, results;
  for (Type type : function.getArgumentTypes())
    arguments.push_back(getBufferType(type));
  for (Type type : function.getResultTypes())
    results.push_back(getBufferType(type));
  for (unsigned i = 0; i != arguments.size(); ++i)
    function.removeArgAttr(i, kWritable);
  function.setType(
      FunctionType::get(function.getContext(), arguments, results));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// The constants of a module, each once.
class Globals {
public:
  explicit Globals(ModuleOp module) : module(module), symbols(module) {
    for (auto global : module.getOps<memref::GlobalOp>())
      if (global.getConstant() && global.getInitialValueAttr())
        add(global);
  }

  memref::GlobalOp get(arith::ConstantOp constant);

private:
  void add(memref::GlobalOp global) {
    known.try_emplace({global.getInitialValueAttr(), global.getType()}, global);
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<std::pair<Attribute, Type>, memref::GlobalOp> known;
};
} // namespace

static std::string makeName(MemRefType type) {
  std::string name = "__constant_";
  llvm::raw_string_ostream os(name);
  for (int64_t size : type.getShape())
    os << size << 'x';
  os << type.getElementType();
  return name;
}

memref::GlobalOp Globals::get(arith::ConstantOp constant) {
  auto type = cast<MemRefType>(getBufferType(constant.getType()));
  if (memref::GlobalOp global = known.lookup({constant.getValue(), type}))
    return global;
  OpBuilder builder(module.getContext());
  auto global = memref::GlobalOp::create(
      builder, constant.getLoc(), makeName(type),
      builder.getStringAttr("private"), type, constant.getValue(),
      /*constant=*/true, builder.getI64IntegerAttr(kBufferAlignment));
  symbols.insert(global, module.getBody()->begin());
  add(global);
  return global;
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

namespace {

/// A buffer that the function allocates.
struct OwnedBuffer {
  memref::AllocOp alloc;
  /// The last op, so far, that uses a tensor in it.
  size_t lastUse = 0;
  bool isReturned = false;
};

/// The buffer of a tensor; `owned` is null if the function may not write to it.
struct TensorBuffer {
  Value buffer;
  OwnedBuffer *owned = nullptr;
};

/// Bufferizes one function.
class ListBufferization {
public:
  ListBufferization(func::FuncOp function, Globals &globals,
                    const SymbolTable &kernels)
      : function(function), globals(globals), kernels(kernels),
        builder(function.getContext()) {}

  void run();

private:
  void visit(Operation *op);
  void visitRun(RunOp run);
  void visitReshape(Operation *op);
  void visitReturn(func::ReturnOp op);

  bool hasTensor(Value value) {
    return buffers.contains(value) || isa<TensorType>(value.getType());
  }
  /// The buffer of `tensor`: a new one if nothing has been written to it.
  TensorBuffer getBuffer(Value tensor);
  TensorBuffer allocate(Location location, Type type);
  /// A new buffer with what `from` holds.
  TensorBuffer copy(Location location, Value from);
  void set(Value tensor, TensorBuffer buffer);
  TensorBuffer getDestination(RunOp run, unsigned index);
  Value adapt(RunOp run, unsigned index, Value buffer);
  void free();

  func::FuncOp function;
  Globals &globals;
  const SymbolTable &kernels;
  OpBuilder builder;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> order;
  llvm::DenseMap<Value, TensorBuffer> buffers;
  std::deque<OwnedBuffer> owned;
};

} // namespace

TensorBuffer ListBufferization::allocate(Location location, Type type) {
  auto alloc = memref::AllocOp::create(
      builder, location, cast<MemRefType>(getBufferType(type)),
      builder.getI64IntegerAttr(kBufferAlignment));
  owned.push_back({alloc});
  return {alloc, &owned.back()};
}

TensorBuffer ListBufferization::copy(Location location, Value from) {
  TensorBuffer made = allocate(location, from.getType());
  memref::CopyOp::create(builder, location, from, made.buffer);
  return made;
}

void ListBufferization::set(Value tensor, TensorBuffer buffer) {
  buffers[tensor] = buffer;
  if (!buffer.owned)
    return;
  size_t &last = buffer.owned->lastUse;
  if (Operation *op = tensor.getDefiningOp())
    last = std::max(last, order.lookup(op));
  for (Operation *user : tensor.getUsers())
    last = std::max(last, order.lookup(user));
}

TensorBuffer ListBufferization::getBuffer(Value tensor) {
  if (!buffers.contains(tensor))
    set(tensor, allocate(tensor.getLoc(), tensor.getType()));
  return buffers.lookup(tensor);
}

/// A view of what has been written, if anything has.
void ListBufferization::visitReshape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  if (!buffers.contains(source))
    return;
  TensorBuffer buffer = buffers.lookup(source);
  Type type = getBufferType(result.getType());
  Location location = op->getLoc();
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    buffer.buffer = memref::CollapseShapeOp::create(
        builder, location, type, buffer.buffer, collapse.getReassociation());
  else
    buffer.buffer = memref::ExpandShapeOp::create(
        builder, location, cast<MemRefType>(type), buffer.buffer,
        cast<tensor::ExpandShapeOp>(op).getReassociationIndices());
  set(result, buffer);
}

/// The buffer to which `run` writes output `index`.
TensorBuffer ListBufferization::getDestination(RunOp run, unsigned index) {
  Value tensor = run.getOutputs()[index];
  auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
  Location location = empty ? empty.getLoc() : run.getLoc();
  if (!run.isUpdated(index) || !buffers.contains(tensor))
    return allocate(location, tensor.getType());
  TensorBuffer old = buffers.lookup(tensor);
  unsigned uses = unsigned(llvm::count_if(run.getOperands(), [&](Value value) {
    return buffers.contains(value) && buffers.lookup(value).owned == old.owned;
  }));
  bool isLast = old.owned && old.owned->lastUse <= order.lookup(run);
  return isLast && uses == 1 ? old : copy(location, old.buffer);
}

/// `buffer` as the kernel takes it, which may not know all sizes.
Value ListBufferization::adapt(RunOp run, unsigned index, Value buffer) {
  auto kernel = kernels.lookup<func::FuncOp>(run.getKernel());
  Type type = kernel.getArgumentTypes()[index];
  if (type == buffer.getType())
    return buffer;
  return memref::CastOp::create(builder, run.getLoc(), type, buffer);
}

void ListBufferization::visitRun(RunOp run) {
  SmallVector<Value> inputs, outputs;
  SmallVector<TensorBuffer> results;
  for (Value input : run.getInputs()) {
    Value value = hasTensor(input) ? getBuffer(input).buffer : input;
    inputs.push_back(adapt(run, unsigned(inputs.size()), value));
  }
  for (unsigned i = 0; i != run.getOutputs().size(); ++i)
    results.push_back(getDestination(run, i));
  for (const TensorBuffer &result : results)
    outputs.push_back(
        adapt(run, unsigned(inputs.size() + outputs.size()), result.buffer));
  RunOp::create(builder, run.getLoc(), TypeRange(), run.getKernelAttr(), inputs,
                outputs, run.getUpdatesAttr(), run.getInstanceAttr(),
                run.getOriginsAttr(), run.getDeviceAttr());
  for (auto [result, buffer] : llvm::zip_equal(run.getResults(), results))
    set(result, buffer);
}

/// Callers free each result, so each is a buffer of its own.
void ListBufferization::visitReturn(func::ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasTensor(operand.get()))
      continue;
    TensorBuffer result = getBuffer(operand.get());
    if (!result.owned || result.owned->isReturned)
      result = copy(op.getLoc(), result.buffer);
    result.owned->isReturned = true;
    operand.set(result.buffer);
  }
}

void ListBufferization::visit(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto run = dyn_cast<RunOp>(op))
    return visitRun(run);
  if (auto last = dyn_cast<func::ReturnOp>(op))
    return visitReturn(last);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return visitReshape(op);
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant || !isMemory(constant.getType()))
    return;
  memref::GlobalOp global = globals.get(constant);
  set(constant,
      {memref::GetGlobalOp::create(builder, op->getLoc(), global.getType(),
                                   global.getSymName())});
}

/// Frees each buffer after its last use.
void ListBufferization::free() {
  for (OwnedBuffer &buffer : owned) {
    if (buffer.isReturned)
      continue;
    Operation *last = ops[buffer.lastUse];
    if (last->hasTrait<OpTrait::IsTerminator>())
      builder.setInsertionPoint(last);
    else
      builder.setInsertionPointAfter(last);
    memref::DeallocOp::create(builder, last->getLoc(), buffer.alloc);
  }
}

void ListBufferization::run() {
  Block &body = function.getBody().front();
  for (Operation &op : body) {
    order[&op] = ops.size();
    ops.push_back(&op);
  }
  for (BlockArgument argument : body.getArguments())
    if (isMemory(argument.getType())) {
      argument.setType(getBufferType(argument.getType()));
      set(argument, {argument});
    }
  llvm::for_each(ops, [&](Operation *op) { visit(op); });
  free();
  for (Operation *op : llvm::reverse(ops))
    if (isa<RunOp>(op) || llvm::any_of(op->getResultTypes(), isMemory))
      op->erase();
  convertType(function);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

bool codegen::bufferizeGraph(ModuleOp module) {
  if (!isGraph(module))
    return false;
  SmallVector<func::FuncOp> lists;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal())
      convertType(function);
    else
      lists.push_back(function);
  SymbolTable kernels(module);
  Globals globals(module);
  for (func::FuncOp list : lists)
    ListBufferization(list, globals, kernels).run();
  return true;
}
