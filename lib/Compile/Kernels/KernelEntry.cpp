//===- KernelEntry.cpp - The interface of a kernel's code -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEntry.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

static MemRefType toBuffer(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

void compile::openKernel(func::FuncOp kernel) {
  Block &block = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  unsigned results = kernel.getNumResults();
  unsigned firstOut = kernel.getNumArguments() - results;
  for (BlockArgument argument : block.getArguments()) {
    if (!isa<TensorType>(argument.getType()))
      continue;
    Type type = argument.getType();
    bool isOut = argument.getArgNumber() >= firstOut;
    argument.setType(toBuffer(type));
    auto tensor = bufferization::ToTensorOp::create(
        builder, argument.getLoc(), type, argument, /*restrict=*/true,
        /*writable=*/isOut);
    argument.replaceAllUsesExcept(tensor, tensor);
  }
  auto end = cast<func::ReturnOp>(block.getTerminator());
  builder.setInsertionPoint(end);
  for (auto [index, value] : llvm::enumerate(end.getOperands())) {
    bufferization::MaterializeInDestinationOp::create(
        builder, value.getLoc(), Type(), value,
        block.getArgument(firstOut + unsigned(index)), /*restrict=*/true,
        /*writable=*/true);
  }
  end->setOperands({});
  kernel.setType(builder.getFunctionType(block.getArgumentTypes(), {}));
}

namespace {
/// Builds the function that takes addresses, and makes the kernel take its
/// buffers one by one: LLVM is told only of arguments that they do not alias.
class EntryBuilder {
public:
  EntryBuilder(func::FuncOp kernel, StringRef symbol)
      : kernel(kernel), symbol(symbol), builder(kernel.getContext()),
        converter(kernel.getContext()), location(findLocation(kernel)),
        pointer(LLVM::LLVMPointerType::get(kernel.getContext())) {}

  void build();

private:
  static Location findLocation(func::FuncOp kernel);
  void openArguments();
  Value makeBuffer(MemRefType type, Value address);
  Value load(Type type, Value base, int64_t index);
  Value loadScalar(Type type, Value address);
  void addEntry(ArrayRef<Type> scalars);

  func::FuncOp kernel;
  StringRef symbol;
  OpBuilder builder;
  LLVMTypeConverter converter;
  Location location;
  Type pointer;
  /// Number of dynamic sizes, which follow the kernel's other arguments.
  unsigned sizes = 0;
};
} // namespace

/// That of the first op with an identity: the entry is a part of its work.
Location EntryBuilder::findLocation(func::FuncOp kernel) {
  Location found = kernel.getLoc();
  kernel.walk([&](Operation *op) {
    if (op == kernel || !prof::hasIdentity(op->getLoc()))
      return WalkResult::advance();
    found = op->getLoc();
    return WalkResult::interrupt();
  });
  return found;
}

/// A buffer of `type`, which is contiguous, at `address`.
Value EntryBuilder::makeBuffer(MemRefType type, Value address) {
  auto descriptor =
      MemRefDescriptor::poison(builder, location, converter.convertType(type));
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, location, builder.getI64Type(),
                                    builder.getI64IntegerAttr(value));
  };
  descriptor.setAllocatedPtr(builder, location, address);
  descriptor.setAlignedPtr(builder, location, address);
  descriptor.setOffset(builder, location, constant(0));
  SmallVector<Value> extents;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      extents.push_back(constant(size));
      continue;
    }
    ++sizes;
    extents.push_back(
        kernel.getBody().front().addArgument(builder.getI64Type(), location));
  }
  Value stride = constant(1);
  for (unsigned dim = unsigned(type.getRank()); dim-- > 0;) {
    descriptor.setSize(builder, location, dim, extents[dim]);
    descriptor.setStride(builder, location, dim, stride);
    if (dim != 0)
      stride = LLVM::MulOp::create(builder, location, stride, extents[dim]);
  }
  return UnrealizedConversionCastOp::create(builder, location, type,
                                            Value(descriptor))
      .getResult(0);
}

void EntryBuilder::openArguments() {
  Block &block = kernel.getBody().front();
  builder.setInsertionPointToStart(&block);
  for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i) {
    BlockArgument argument = block.getArgument(i);
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    argument.setType(pointer);
    Value buffer = makeBuffer(type, argument);
    argument.replaceUsesWithIf(buffer, [&](OpOperand &use) {
      return !isa<LLVM::LLVMDialect>(use.getOwner()->getDialect());
    });
  }
  kernel.setType(builder.getFunctionType(block.getArgumentTypes(), {}));
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (type == pointer)
      kernel.setArgAttr(unsigned(index),
                        LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
  kernel.setPrivate();
}

Value EntryBuilder::load(Type type, Value base, int64_t index) {
  Value address = LLVM::GEPOp::create(builder, location, pointer, type, base,
                                      ArrayRef<LLVM::GEPArg>{int32_t(index)});
  return LLVM::LoadOp::create(builder, location, type, address);
}

Value EntryBuilder::loadScalar(Type type, Value address) {
  Type lowered = converter.convertType(type);
  Value value = load(lowered, address, 0);
  return lowered == type ? value
                         : UnrealizedConversionCastOp::create(builder, location,
                                                              type, value)
                               .getResult(0);
}

/// Adds the entry; `scalars` are the types of the kernel's arguments that are
/// not buffers, which lie in memory too, else null.
void EntryBuilder::addEntry(ArrayRef<Type> scalars) {
  Type number = builder.getI32Type();
  auto type =
      builder.getFunctionType({pointer, pointer, number, number, number}, {});
  builder.setInsertionPointAfter(kernel);
  auto entry = func::FuncOp::create(builder, kernel.getLoc(), symbol, type);
  builder.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [index, scalar] : llvm::enumerate(scalars)) {
    Value address = load(pointer, entry.getArgument(0), int64_t(index));
    arguments.push_back(scalar ? loadScalar(scalar, address) : address);
  }
  for (unsigned i = 0; i != sizes; ++i)
    arguments.push_back(
        load(builder.getI64Type(), entry.getArgument(1), int64_t(i)));
  func::CallOp::create(builder, location, kernel, arguments);
  func::ReturnOp::create(builder, location);
}

void EntryBuilder::build() {
  SmallVector<Type> scalars =
      llvm::map_to_vector(kernel.getArgumentTypes(), [](Type type) {
        return isa<MemRefType>(type) ? Type() : type;
      });
  openArguments();
  addEntry(scalars);
}

void compile::addKernelEntry(ModuleOp module, StringRef symbol) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      return EntryBuilder(function, symbol).build();
}
