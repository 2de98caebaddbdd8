//===- RuntimeModule.cpp - What the code tells the runtime ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeModule.h"

#include "mlir-prof/Runtime/prof_rt.h"

using namespace mlir;
using namespace mlirprof;

static_assert(kNone == PROF_RT_NO_PARENT);

RuntimeModule::RuntimeModule(ModuleOp module, const Program &program,
                             uint32_t instances, StringRef metadata)
    : module(module), symbols(module), builder(module.getContext()) {
  description = createDescription(program, instances, metadata);
}

LLVM::GlobalOp RuntimeModule::createGlobal(StringRef name, Type type,
                                           Attribute value) {
  bool constant = bool(value);
  builder.clearInsertionPoint();
  auto global = LLVM::GlobalOp::create(builder, module.getLoc(), type, constant,
                                       LLVM::Linkage::Internal, name, value);
  // Renames it when there is such a symbol already.
  symbols.insert(global, module.getBody()->begin());
  return global;
}

LLVM::GlobalOp RuntimeModule::createArray(StringRef name,
                                          ArrayRef<uint32_t> numbers) {
  if (numbers.empty())
    return {};
  Type word = builder.getI32Type();
  auto shape = RankedTensorType::get(int64_t(numbers.size()), word);
  return createGlobal(name, LLVM::LLVMArrayType::get(word, numbers.size()),
                      DenseElementsAttr::get(shape, numbers));
}

LLVM::GlobalOp RuntimeModule::createBytes(StringRef name, StringRef bytes) {
  if (bytes.empty())
    return {};
  return createGlobal(
      name, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
      builder.getStringAttr(bytes));
}

LLVM::GlobalOp RuntimeModule::createDescription(const Program &program,
                                                uint32_t instances,
                                                StringRef metadata) {
  SmallVector<uint32_t> parents, lengths;
  for (const ProgramProbe &probe : program.probes)
    parents.push_back(probe.parent);
  for (const ValueSite &site : program.sites)
    lengths.push_back(site.names.size());
  LLVM::GlobalOp pointees[] = {createArray("__prof_rt_parents", parents),
                               createArray("__prof_rt_lengths", lengths),
                               createBytes("__prof_rt_metadata", metadata)};

  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  // The fields of prof_rt_module.
  auto type = LLVM::LLVMStructType::getLiteral(
      module.getContext(),
      {i32, i32, i32, i32, pointer, pointer, pointer, i64, pointer});
  LLVM::GlobalOp global = createGlobal("__prof_rt_module", type, {});

  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  Location location = global.getLoc();
  Value value = LLVM::ZeroOp::create(builder, location, type);
  int64_t field = 0;
  auto set = [&](Value element) {
    value =
        LLVM::InsertValueOp::create(builder, location, value, element, field++);
  };
  for (uint64_t number : {uint64_t(PROF_RT_ABI), uint64_t(parents.size()),
                          uint64_t(lengths.size()), uint64_t(instances)})
    set(LLVM::ConstantOp::create(builder, location, i32,
                                 builder.getI32IntegerAttr(number)));
  for (LLVM::GlobalOp pointee : pointees) {
    if (pointee)
      set(LLVM::AddressOfOp::create(builder, location, pointee));
    else
      ++field;
  }
  set(LLVM::ConstantOp::create(builder, location, i64,
                               builder.getI64IntegerAttr(metadata.size())));
  LLVM::ReturnOp::create(builder, location, value);
  return global;
}

Value RuntimeModule::getAddress(OpBuilder &builder, Location location) {
  return LLVM::AddressOfOp::create(builder, location, description);
}

LLVM::LLVMFuncOp RuntimeModule::declare(StringRef name,
                                        LLVM::LLVMFunctionType type) {
  if (auto found = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return found;
  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  symbols.insert(function);
  return function;
}

LLVM::CallOp RuntimeModule::call(OpBuilder &builder, Location location,
                                 StringRef name, Type result,
                                 ValueRange arguments) {
  SmallVector<Type> types(arguments.getTypes());
  auto type = LLVM::LLVMFunctionType::get(result, types);
  return LLVM::CallOp::create(builder, location, declare(name, type),
                              arguments);
}

LLVM::LLVMFuncOp RuntimeModule::createHandlerCall() {
  MLIRContext *context = module.getContext();
  Type i32 = builder.getI32Type();
  auto nothing = LLVM::LLVMVoidType::get(context);
  builder.setInsertionPointToEnd(module.getBody());
  Location location = module.getLoc();
  auto function = LLVM::LLVMFuncOp::create(
      builder, location, "__prof_rt_probe",
      LLVM::LLVMFunctionType::get(nothing, {i32}), LLVM::Linkage::Internal);
  symbols.insert(function);
  // Inlined, its return address would be that of the model's function.
  function.setNoInline(true);

  OpBuilder body = OpBuilder::atBlockBegin(function.addEntryBlock(builder));
  Value level =
      LLVM::ConstantOp::create(body, location, i32, body.getI32IntegerAttr(0));
  Value address =
      LLVM::CallIntrinsicOp::create(
          body, location, LLVM::LLVMPointerType::get(context),
          body.getStringAttr("llvm.returnaddress"), ValueRange{level})
          .getResult(0);
  call(body, location, "prof_rt_handler", nothing,
       {getAddress(body, location), function.getArgument(0), address});
  LLVM::ReturnOp::create(body, location, ValueRange{});
  return function;
}

void RuntimeModule::callHandler(OpBuilder &builder, Location location,
                                uint32_t probe) {
  if (!handlerCall)
    handlerCall = createHandlerCall();
  Value id = LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                      builder.getI32IntegerAttr(probe));
  LLVM::CallOp::create(builder, location, handlerCall, ValueRange{id});
}
