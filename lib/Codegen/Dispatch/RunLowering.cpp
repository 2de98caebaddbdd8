//===- RunLowering.cpp - Calls of kernels ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLowering.h"
#include "BufferPlaces.h"
#include "GlobalAddresses.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

Value RunLowering::reserve(Operation *at, Type type, unsigned count) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = at->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value size =
      LLVM::ConstantOp::create(builder, at->getLoc(), builder.getI64Type(),
                               builder.getI64IntegerAttr(count));
  return LLVM::AllocaOp::create(builder, at->getLoc(), pointer, type, size);
}

void RunLowering::store(Location location, Value value, Type element,
                        Value base, unsigned index) {
  Value place = LLVM::GEPOp::create(builder, location, pointer, element, base,
                                    ArrayRef<LLVM::GEPArg>{int32_t(index)});
  LLVM::StoreOp::create(builder, location, value, place);
}

/// The size of dimension `dim` of `buffer` before casts that hide it, if it is
/// known.
static std::optional<int64_t> findSize(Value buffer, int64_t dim) {
  while (cast<MemRefType>(buffer.getType()).isDynamicDim(unsigned(dim))) {
    auto cast = buffer.getDefiningOp<memref::CastOp>();
    if (!cast || !isa<MemRefType>(cast.getSource().getType()))
      return std::nullopt;
    buffer = cast.getSource();
  }
  return cast<MemRefType>(buffer.getType()).getDimSize(unsigned(dim));
}

/// Whether all uses of `buffer` are operands of dispatches, or views of all of
/// it that have such uses only.
static bool isReadByRunsOnly(Value buffer) {
  SmallVector<Value> values = {buffer};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
              user))
        values.push_back(user->getResult(0));
      else if (!isa<RunOp>(user))
        return false;
    }
  return true;
}

/// Whether a global of LLVM with the value of `global` is its memory.
static bool isPlainConstant(memref::GlobalOp global) {
  MemRefType type = global.getType();
  return global.getConstant() && !global.isExternal() &&
         !global.isUninitialized() && type.getRank() != 0 &&
         type.hasStaticShape() && type.getLayout().isIdentity() &&
         !type.getMemorySpace();
}

void RunLowering::lowerConstants() {
  llvm::DenseSet<StringAttr> others;
  module.walk([&](memref::GetGlobalOp get) {
    if (!isReadByRunsOnly(get))
      others.insert(get.getNameAttr().getAttr());
  });
  for (auto global :
       llvm::make_early_inc_range(module.getOps<memref::GlobalOp>())) {
    StringAttr name = global.getSymNameAttr();
    Type type = converter.convertType(global.getType().getElementType());
    if (!type || !isPlainConstant(global) || others.contains(name))
      continue;
    for (int64_t size : llvm::reverse(global.getType().getShape()))
      type = LLVM::LLVMArrayType::get(type, unsigned(size));
    builder.setInsertionPoint(global);
    constants[name] = LLVM::GlobalOp::create(
        builder, global.getLoc(), type, /*isConstant=*/true,
        global.isPublic() ? LLVM::Linkage::External : LLVM::Linkage::Private,
        name, *global.getInitialValue(), global.getAlignment().value_or(0));
    global.erase();
  }
}

LLVM::GlobalOp RunLowering::findConstant(Value buffer) {
  BufferPlace place = findPlace(buffer);
  auto get = place.base.getDefiningOp<memref::GetGlobalOp>();
  return get && place.offset == 0
             ? constants.lookup(get.getNameAttr().getAttr())
             : LLVM::GlobalOp();
}

LLVM::GlobalOp RunLowering::findNumbers(Type element,
                                        ArrayRef<int64_t> values) {
  if (values.empty())
    return {};
  unsigned width = element.getIntOrFloatBitWidth();
  auto elements = llvm::map_to_vector(values, [&](int64_t value) {
    return APInt(64, uint64_t(value)).sextOrTrunc(width);
  });
  auto content = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, element), elements);
  LLVM::GlobalOp &global = numbers[content];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    global = LLVM::GlobalOp::create(
        builder, module.getLoc(),
        LLVM::LLVMArrayType::get(element, unsigned(values.size())),
        /*isConstant=*/true, LLVM::Linkage::Private,
        "mlirprof_numbers_" + std::to_string(numbers.size()), content);
  }
  return global;
}

LLVM::GlobalOp RunLowering::findNumbers(Type element, ValueRange values) {
  if (!isa<IntegerType>(element))
    return {};
  SmallVector<int64_t> known;
  for (Value value : values) {
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)) ||
        number.getBitWidth() > 64)
      return {};
    known.push_back(number.getSExtValue());
  }
  return findNumbers(element, known);
}

bool RunLowering::findSizes(Value operand, SmallVectorImpl<int64_t> &sizes) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  for (int64_t dim = 0; type && dim != type.getRank(); ++dim) {
    if (!type.isDynamicDim(unsigned(dim)))
      continue;
    std::optional<int64_t> known = findSize(operand, dim);
    if (!known)
      return false;
    sizes.push_back(*known);
  }
  return true;
}

Value RunLowering::getAddress(Operation *at, Value operand) {
  Location location = at->getLoc();
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type) {
    Type lowered = converter.convertType(operand.getType());
    if (LLVM::GlobalOp known = findNumbers(lowered, ValueRange(operand)))
      return LLVM::AddressOfOp::create(builder, location, known);
    Value place = reserve(at, lowered, 1);
    Value value = operand;
    if (lowered != operand.getType())
      value = UnrealizedConversionCastOp::create(builder, location, lowered,
                                                 operand)
                  .getResult(0);
    LLVM::StoreOp::create(builder, location, value, place);
    return place;
  }
  if (LLVM::GlobalOp constant = findConstant(operand))
    return LLVM::AddressOfOp::create(builder, location, constant);
  Value base = extractAddress(builder, location, operand);
  if (type.getLayout().isIdentity())
    return base;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, location, operand);
  Value offset = arith::IndexCastOp::create(
      builder, location, builder.getI64Type(), metadata.getOffset());
  return LLVM::GEPOp::create(builder, location, pointer,
                             converter.convertType(type.getElementType()), base,
                             offset);
}

void RunLowering::addSizes(Operation *at, Value operand,
                           SmallVectorImpl<Value> &sizes) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type)
    return;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    if (!type.isDynamicDim(unsigned(dim)))
      continue;
    if (std::optional<int64_t> known = findSize(operand, dim)) {
      sizes.push_back(
          LLVM::ConstantOp::create(builder, at->getLoc(), builder.getI64Type(),
                                   builder.getI64IntegerAttr(*known)));
      continue;
    }
    Value size = memref::DimOp::create(builder, at->getLoc(), operand, dim);
    sizes.push_back(arith::IndexCastOp::create(builder, at->getLoc(),
                                               builder.getI64Type(), size));
  }
}

Value RunLowering::getArray(Operation *at, Type element, size_t count) {
  auto function = at->getParentOfType<FunctionOpInterface>();
  LLVM::AllocaOp &array = arrays[{function, element}];
  if (!array)
    array =
        reserve(at, element, unsigned(count)).getDefiningOp<LLVM::AllocaOp>();
  auto length = array.getArraySize().getDefiningOp<LLVM::ConstantOp>();
  auto known = cast<IntegerAttr>(length.getValue());
  if (size_t(known.getInt()) < count)
    length.setValueAttr(builder.getI64IntegerAttr(int64_t(count)));
  return array;
}

Value RunLowering::makeArray(Operation *at, Type element,
                             ArrayRef<Value> values) {
  if (values.empty())
    return LLVM::ZeroOp::create(builder, at->getLoc(), pointer);
  if (LLVM::GlobalOp known = findNumbers(element, ValueRange(values)))
    return LLVM::AddressOfOp::create(builder, at->getLoc(), known);
  Value array = getArray(at, element, values.size());
  for (auto [index, value] : llvm::enumerate(values))
    store(at->getLoc(), value, element, array, unsigned(index));
  return array;
}

LLVM::GlobalOp RunLowering::getSlot() {
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  slot = LLVM::GlobalOp::create(builder, module.getLoc(), builder.getI32Type(),
                                /*isConstant=*/false, LLVM::Linkage::External,
                                kInstanceSlot, builder.getI32IntegerAttr(-1));
  return slot;
}

void RunLowering::publish(RunOp run, int32_t instance) {
  if (!run.getInstance())
    return;
  Location location = run.getLoc();
  Value place = LLVM::AddressOfOp::create(builder, location, getSlot());
  Value number =
      LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                               builder.getI32IntegerAttr(instance));
  LLVM::StoreOp::create(builder, location, number, place, /*alignment=*/0,
                        /*isVolatile=*/true);
}

void RunLowering::lowerToCall(RunOp run) {
  builder.setInsertionPoint(run);
  Location location = run.getLoc();
  SmallVector<Value> addresses, sizes;
  for (Value operand : run->getOperands()) {
    addresses.push_back(getAddress(run, operand));
    addSizes(run, operand, sizes);
  }
  Value bindings = makeArray(run, pointer, addresses);
  Value parameters = makeArray(run, builder.getI64Type(), sizes);
  publish(run, int32_t(run.getInstance().value_or(0)));
  Value zero = LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                        builder.getI32IntegerAttr(0));
  LLVM::CallOp::create(builder, location, TypeRange(), run.getKernel(),
                       ValueRange{bindings, parameters, zero, zero, zero});
  publish(run, -1);
  run.erase();
}

void RunLowering::replaceDeclarations() {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!isKernel(function) || !function.isExternal())
      continue;
    builder.setInsertionPoint(function);
    LLVM::LLVMFuncOp::create(builder, function.getLoc(), function.getSymName(),
                             getKernelType(builder.getContext()));
    function.erase();
  }
}
