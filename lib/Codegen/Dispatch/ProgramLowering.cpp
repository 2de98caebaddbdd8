//===- ProgramLowering.cpp - A program of the executor --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"
#include "BufferPlaces.h"
#include "GlobalAddresses.h"
#include "mlir-prof/Codegen/ProgramAddresses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

/// Bytes that a workgroup of a copy moves, and the time of it.
static constexpr int64_t kCopyBytes = int64_t(64) << 10;
static constexpr uint32_t kCopyNs = 6000;
/// The number of a copy: the last that the executor takes, which no dispatch
/// has.
static constexpr uint32_t kNoInstance = 0xffffff00;

bool codegen::isPlainCopy(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (!copy)
    return false;
  auto from = dyn_cast<MemRefType>(copy.getSource().getType()),
       to = dyn_cast<MemRefType>(copy.getTarget().getType());
  std::optional<int64_t> bytes =
      from && from == to && to.getLayout().isIdentity() ? getStaticBytes(to)
                                                        : std::nullopt;
  return bytes && *bytes > 0 && *bytes / kCopyBytes < UINT16_MAX;
}

/// Numbers and scalars have places of their own; buffers share those of larger
/// ones.
TableValue ProgramLowering::addAddress(Value operand) {
  BufferPlace place = {operand, 0};
  if (isa<MemRefType>(operand.getType()))
    place = findPlace(operand);
  auto [entry, isNew] =
      addresses.insert({place.base, uint32_t(addressValues.size())});
  if (isNew) {
    LLVM::GlobalOp constant;
    if (isa<MemRefType>(place.base.getType()))
      constant = parent.findConstant(place.base);
    constants.push_back(constant ? constant.getSymName() : "");
    addressValues.push_back(constant ? Value()
                                     : parent.getAddress(last, place.base));
  }
  return {entry->second, place.offset};
}

/// Names the function that the executor calls for the next dispatch.
void ProgramLowering::nameFunction(std::string name) {
  if (!parent.thunks.insert(name).second)
    name += "_" + std::to_string(number) + "_" +
            std::to_string(table.dispatches.size());
  thunks.push_back(std::move(name));
}

/// A function that calls the kernel for this dispatch alone: a return address
/// in it tells the dispatch. There are many, so they come to be when no pass
/// goes through them any more.
void ProgramLowering::addThunk(RunOp run) {
  nameFunction(
      (run.getKernel() + "_dispatch_" + Twine(run.getInstance().value_or(0)))
          .str());
  kernels.push_back(run.getKernel());
  thunkPlaces.push_back(run.getLoc());
}

/// A function that copies the workgroup's share of the bytes that its parameter
/// tells.
void ProgramLowering::addCopyFunction(memref::CopyOp copy) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = copy.getLoc();
  nameFunction("copy_" + std::to_string(number) + "_" +
               std::to_string(table.dispatches.size()));
  kernels.push_back("");
  thunkPlaces.push_back(location);
  builder.setInsertionPointToEnd(parent.module.getBody());
  auto function = LLVM::LLVMFuncOp::create(builder, location, thunks.back(),
                                           getKernelType(builder.getContext()),
                                           LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  Type wide = builder.getI64Type(), byte = builder.getI8Type();
  Value share = LLVM::ConstantOp::create(builder, location, wide,
                                         builder.getI64IntegerAttr(kCopyBytes));
  Value group =
      LLVM::ZExtOp::create(builder, location, wide, function.getArgument(2));
  Value begin = LLVM::MulOp::create(builder, location, group, share);
  Value bytes =
      LLVM::LoadOp::create(builder, location, wide, function.getArgument(1));
  Value rest = LLVM::SubOp::create(builder, location, bytes, begin);
  Value size = LLVM::UMinOp::create(builder, location, rest, share);
  SmallVector<Value> places;
  for (int32_t i = 0; i != 2; ++i) {
    Value binding =
        LLVM::GEPOp::create(builder, location, parent.pointer, parent.pointer,
                            function.getArgument(0), ArrayRef<LLVM::GEPArg>{i});
    Value base =
        LLVM::LoadOp::create(builder, location, parent.pointer, binding);
    places.push_back(LLVM::GEPOp::create(builder, location, parent.pointer,
                                         byte, base, begin));
  }
  LLVM::MemcpyOp::create(builder, location, places[1], places[0], size,
                         /*isVolatile=*/false);
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

void ProgramLowering::addCopy(memref::CopyOp copy) {
  auto type = cast<MemRefType>(copy.getTarget().getType());
  TableDispatch dispatch;
  dispatch.kernel = uint32_t(table.dispatches.size());
  dispatch.instance = kNoInstance;
  dispatch.bindings = {addAddress(copy.getSource()),
                       addAddress(copy.getTarget())};
  int64_t bytes = *getStaticBytes(type);
  dispatch.arguments = {{TableValue::kNoBase, bytes}};
  dispatch.grid[0] = uint32_t(llvm::divideCeil(uint64_t(bytes), kCopyBytes));
  dispatch.costNs = kCopyNs;
  dispatch.dependencies =
      conflicts.add({getAccess(findPlace(copy.getSource()), type, false),
                     getAccess(findPlace(copy.getTarget()), type, true)});
  addCopyFunction(copy);
  table.dispatches.push_back(std::move(dispatch));
}

void ProgramLowering::addRun(RunOp run) {
  TableDispatch dispatch;
  dispatch.kernel = uint32_t(table.dispatches.size());
  dispatch.instance = uint32_t(run.getInstance().value_or(0));
  SmallVector<ByteAccess> accesses;
  size_t firstSize = parameters.size();
  for (OpOperand &operand : run->getOpOperands()) {
    Value value = operand.get();
    dispatch.bindings.push_back(addAddress(value));
    parent.addSizes(run, value, parameters);
    if (isa<MemRefType>(value.getType()))
      accesses.push_back(getAccess(findPlace(value), getKnownType(value),
                                   run.isDpsInit(&operand)));
  }
  for (size_t i = firstSize; i != parameters.size(); ++i)
    dispatch.arguments.push_back({uint32_t(i), 0});
  dispatch.dependencies = conflicts.add(accesses);
  addThunk(run);
  table.dispatches.push_back(std::move(dispatch));
}

LLVM::GlobalOp ProgramLowering::define(StringRef name, Type type,
                                       Attribute value) {
  if (auto known = parent.module.lookupSymbol<LLVM::GlobalOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parent.module.getBody());
  return LLVM::GlobalOp::create(builder, parent.module.getLoc(), type,
                                /*isConstant=*/false, LLVM::Linkage::External,
                                name, value);
}

LLVM::GlobalOp ProgramLowering::declareTable() {
  table.kernels = uint32_t(kernels.size());
  table.addresses = uint32_t(addressValues.size());
  table.parameters = uint32_t(parameters.size());
  std::vector<uint32_t> words = encodeTable(table);
  LLVM::GlobalOp declared =
      define((kTablePrefix + Twine(number)).str(),
             LLVM::LLVMArrayType::get(builder.getI32Type(), 0), Attribute());
  declared->setAttr(
      kTableWords, builder.getDenseI32ArrayAttr(llvm::to_vector(llvm::map_range(
                       words, [](uint32_t word) { return int32_t(word); }))));
  declared->setAttr(kTableKernels, builder.getStrArrayAttr(kernels));
  return declared;
}

/// An array of addresses that does not change.
LLVM::GlobalOp ProgramLowering::declareArray(StringRef prefix, size_t length) {
  LLVM::GlobalOp array =
      define((prefix + Twine(number)).str(),
             LLVM::LLVMArrayType::get(parent.pointer, unsigned(length)), {});
  array.setLinkage(LLVM::Linkage::Internal);
  array.setConstant(true);
  return array;
}

/// The prof_executor_program.
LLVM::GlobalOp ProgramLowering::addProgram() {
  LLVM::GlobalOp words = declareTable();
  LLVM::GlobalOp code = declareArray("mlirprof_kernels_", thunks.size());
  defineAddressesLater(code, llvm::to_vector_of<StringRef>(thunks));
  code->setAttr(kThunkKernels, builder.getStrArrayAttr(kernels));
  code->setAttr(kThunkPlaces, builder.getArrayAttr(thunkPlaces));
  LLVM::GlobalOp program =
      define("mlirprof_program_" + std::to_string(number),
             LLVM::LLVMStructType::getLiteral(
                 builder.getContext(),
                 {parent.pointer, parent.pointer, parent.pointer}),
             {});
  program.setLinkage(LLVM::Linkage::Internal);
  defineAddresses(program, {words.getSymName(), code.getSymName(), ""});
  return program;
}

LLVM::LLVMFuncOp ProgramLowering::getRunFunction() {
  if (auto known = parent.module.lookupSymbol<LLVM::LLVMFuncOp>(kRunFunction))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parent.module.getBody());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(),
                                          SmallVector<Type>(4, parent.pointer));
  return LLVM::LLVMFuncOp::create(builder, parent.module.getLoc(), kRunFunction,
                                  type);
}

/// The addresses that the program needs. Those of constants are copied at once:
/// a model of many layers has thousands.
Value ProgramLowering::makeAddresses() {
  size_t count = addressValues.size();
  Location location = last->getLoc();
  Value array = parent.getArray(last, parent.pointer, count);
  if (llvm::any_of(addressValues, [](Value value) { return !value; })) {
    LLVM::GlobalOp known = declareArray("mlirprof_constants_", count);
    defineAddressesLater(known, constants);
    Value from = LLVM::AddressOfOp::create(builder, location, known);
    Value bytes = LLVM::ConstantOp::create(
        builder, location, builder.getI64Type(),
        builder.getI64IntegerAttr(int64_t(count * sizeof(void *))));
    LLVM::MemcpyOp::create(builder, location, array, from, bytes,
                           /*isVolatile=*/false);
  }
  for (auto [index, value] : llvm::enumerate(addressValues))
    if (value)
      parent.store(location, value, parent.pointer, array, unsigned(index));
  return array;
}

void ProgramLowering::callExecutor(Value addresses, Value parameters,
                                   LLVM::GlobalOp program) {
  Location location = last->getLoc();
  Type number = builder.getI32Type();
  auto zero = builder.getI32IntegerAttr(0);
  LLVM::GlobalOp variable = define(kExecutorVariable, parent.pointer, {});
  if (variable.getInitializerRegion().empty())
    defineAddresses(variable, {});
  // Models that are linked to one program share them.
  variable.setLinkage(LLVM::Linkage::Weak);
  Value place = LLVM::AddressOfOp::create(builder, location, variable);
  Value executor =
      LLVM::LoadOp::create(builder, location, parent.pointer, place);
  Value description = LLVM::AddressOfOp::create(builder, location, program);
  Value code =
      LLVM::CallOp::create(builder, location, getRunFunction(),
                           {executor, description, addresses, parameters})
          .getResult();
  Value none = LLVM::ConstantOp::create(builder, location, number, zero);
  Value failed = arith::CmpIOp::create(builder, location,
                                       arith::CmpIPredicate::ne, code, none);
  auto branch = scf::IfOp::create(builder, location, failed, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  LLVM::GlobalOp shared = define(kStatusVariable, number, zero);
  shared.setLinkage(LLVM::Linkage::Weak);
  Value status = LLVM::AddressOfOp::create(builder, location, shared);
  LLVM::StoreOp::create(builder, location, code, status);
}

void ProgramLowering::lower(const HostSteps &program) {
  last = program.steps.back();
  builder.setInsertionPoint(last);
  Location location = last->getLoc();
  for (Operation *step : program.steps)
    if (auto run = dyn_cast<RunOp>(step))
      addRun(run);
    else
      addCopy(cast<memref::CopyOp>(step));
  // Its size is known when the kernels are compiled.
  LLVM::GlobalOp size = define((kWorkspacePrefix + Twine(number)).str(),
                               builder.getI64Type(), Attribute());
  Value bytes =
      LLVM::LoadOp::create(builder, location, builder.getI64Type(),
                           LLVM::AddressOfOp::create(builder, location, size));
  Value count = arith::IndexCastOp::create(builder, location,
                                           builder.getIndexType(), bytes);
  Value workspace = memref::AllocOp::create(
      builder, location,
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()), count,
      builder.getI64IntegerAttr(64));
  addressValues.push_back(parent.getAddress(last, workspace));
  constants.push_back("");
  Value addressArray = makeAddresses();
  Value sizeArray = parent.makeArray(last, builder.getI64Type(), parameters);
  callExecutor(addressArray, sizeArray, addProgram());
  memref::DeallocOp::create(builder, location, workspace);
  for (Operation *dealloc : program.deallocs)
    dealloc->moveBefore(last);
  for (Operation *step : program.steps)
    step->erase();
}
