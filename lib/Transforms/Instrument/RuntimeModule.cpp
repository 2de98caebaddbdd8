//===- RuntimeModule.cpp - Data passed to the runtime ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeModule.h"

#include "mlir-prof/Runtime/prof_rt.h"
#include "mlir-prof/Transforms/Instrument.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

static_assert(kNone == PROF_RT_NO_PARENT);
static_assert(kMetadataSizeOffset == offsetof(prof_rt_module, metadata_size));

RuntimeModule::RuntimeModule(ModuleOp module, const ProbeLayout &layout,
                             uint32_t instances,
                             const RuntimeMetadata &metadata)
    : module(module), symbols(module), builder(module.getContext()) {
  if (isShared(module))
    return;
  description = createDescription(layout, instances, metadata);
  if (!layout.parts.empty())
    parts = createParts(layout);
}

LogicalResult RuntimeModule::checkNames(ModuleOp module) {
  MLIRContext *context = module.getContext();
  Type nothing = LLVM::LLVMVoidType::get(context);
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  auto type = [](Type result, ArrayRef<Type> arguments) {
    return LLVM::LLVMFunctionType::get(result, arguments);
  };
  const std::pair<StringRef, LLVM::LLVMFunctionType> functions[] = {
      {"prof_rt_base", type(pointer, {pointer})},
      {"prof_rt_ticks", type(i64, {})},
      {"prof_rt_instance", type(nothing, {pointer, i32, i64, i64})},
      {"prof_rt_handler", type(nothing, {pointer, i32, pointer})},
      {"prof_rt_value", type(nothing, {pointer, i32, i32, pointer})},
      {"prof_rt_value_changed", type(nothing, {pointer, i32, pointer})}};
  for (const auto &[name, expected] : functions) {
    Operation *found = SymbolTable::lookupSymbolIn(module, name);
    auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(found);
    if (!found || (function && function.getFunctionType() == expected))
      continue;
    InFlightDiagnostic error =
        emitError(found->getLoc())
        << "prof-lower-probes: '" << name
        << "' is the name of a function of the runtime, of type " << expected;
    error.attachNote() << "hint: give this one another name";
    return error;
  }
  return success();
}

LLVM::GlobalOp RuntimeModule::createGlobal(StringRef name, Type type,
                                           Attribute value) {
  bool constant = bool(value);
  builder.clearInsertionPoint();
  auto global = LLVM::GlobalOp::create(builder, module.getLoc(), type, constant,
                                       LLVM::Linkage::Internal, name, value);
  // Renames the global if the symbol exists already.
  symbols.insert(global, module.getBody()->begin());
  return global;
}

template <typename Number>
LLVM::GlobalOp RuntimeModule::createArray(StringRef name,
                                          ArrayRef<Number> numbers) {
  if (numbers.empty())
    return {};
  Type word = builder.getIntegerType(8 * sizeof(Number));
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

LLVM::GlobalOp RuntimeModule::createMetadata(const RuntimeMetadata &metadata) {
  constexpr StringLiteral kName = "__prof_rt_metadata";
  if (!metadata.isLater)
    return createBytes(kName, metadata.bytes);
  // Linkers drop empty sections.
  LLVM::GlobalOp global = createBytes(kName, StringRef("\0", 1));
  global.setSection(kMetadataSection);
  return global;
}

/// A block like the runtime's blocks, used if the runtime does not provide one.
LLVM::GlobalOp RuntimeModule::createDiscard(uint64_t words) {
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), words);
  LLVM::GlobalOp global = createGlobal("__prof_rt_discard", type, {});
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  Value zeros = LLVM::ZeroOp::create(builder, global.getLoc(), type);
  LLVM::ReturnOp::create(builder, global.getLoc(), zeros);
  return global;
}

/// The first function in the text section, as far as the module determines it.
/// Only an externally visible one: taking its address is free.
static LLVM::LLVMFuncOp findFirstFunction(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() &&
        function.getLinkage() == LLVM::Linkage::External)
      return function;
  return {};
}

namespace {
/// Fills the fields of a struct one by one; all others are zero.
class StructWriter {
public:
  StructWriter(OpBuilder &builder, Location location, Type type)
      : builder(builder), location(location),
        value(LLVM::ZeroOp::create(builder, location, type)) {}

  void add(Value element) {
    value =
        LLVM::InsertValueOp::create(builder, location, value, element, field++);
  }
  void addNumber(Type type, uint64_t number) {
    add(LLVM::ConstantOp::create(builder, location, type,
                                 builder.getIntegerAttr(type, number)));
  }
  void skip() { ++field; }
  Value get() const { return value; }

private:
  OpBuilder &builder;
  Location location;
  Value value;
  int64_t field = 0;
};
} // namespace

LLVM::GlobalOp
RuntimeModule::createDescription(const ProbeLayout &layout, uint32_t instances,
                                 const RuntimeMetadata &metadata) {
  LLVM::GlobalOp discard = createDiscard(layout.countWords());
  LLVM::GlobalOp pointees[] = {
      createArray("__prof_rt_parents", ArrayRef(layout.parents)),
      createArray("__prof_rt_lengths", ArrayRef(layout.tupleLengths)),
      createMetadata(metadata)};
  LLVM::GlobalOp places[] = {
      createArray("__prof_rt_probe_places", ArrayRef(layout.probePlaces)),
      createArray("__prof_rt_table_places", ArrayRef(layout.tablePlaces))};

  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  // The fields of prof_rt_module.
  auto type = LLVM::LLVMStructType::getLiteral(
      module.getContext(),
      {i32, i32, pointer, pointer, i32, i32, pointer, pointer, pointer, i64,
       pointer, pointer, pointer, i32, i32});
  LLVM::GlobalOp global = createGlobal(kDescriptionSymbol, type, {});

  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  StructWriter fields(builder, global.getLoc(), type);
  fields.addNumber(i32, PROF_RT_ABI);
  fields.addNumber(i32, layout.parents.size());
  fields.add(LLVM::GEPOp::create(
      builder, global.getLoc(), pointer, i64,
      LLVM::AddressOfOp::create(builder, global.getLoc(), discard),
      ArrayRef<LLVM::GEPArg>{PROF_RT_HEADER_WORDS}));
  fields.skip();
  fields.addNumber(i32, layout.tupleLengths.size());
  fields.addNumber(i32, instances);
  auto addAddress = [&](auto pointee) {
    if (pointee)
      fields.add(LLVM::AddressOfOp::create(builder, global.getLoc(), pointee));
    else
      fields.skip();
  };
  for (LLVM::GlobalOp pointee : pointees)
    addAddress(pointee);
  fields.addNumber(i64, metadata.bytes.size());
  addAddress(findFirstFunction(module));
  for (LLVM::GlobalOp pointee : places)
    addAddress(pointee);
  fields.addNumber(i32, layout.listedProbes);
  fields.addNumber(i32, layout.listedTables);
  LLVM::ReturnOp::create(builder, global.getLoc(), fields.get());
  return global;
}

/// Constants in their section: a list of them as code would be long.
LLVM::GlobalOp RuntimeModule::createParts(const ProbeLayout &layout) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  LLVM::LLVMStructType record = getPartType(module.getContext());
  auto type = LLVM::LLVMArrayType::get(record, layout.parts.size());
  LLVM::GlobalOp global = createGlobal("__prof_rt_parts", type, {});
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  Location location = global.getLoc();
  Value all = LLVM::ZeroOp::create(builder, location, type);
  for (auto [index, part] : llvm::enumerate(layout.parts)) {
    StructWriter fields(builder, location, record);
    for (int64_t word : {part.slots, part.cells, part.open})
      fields.addNumber(i64, uint64_t(word));
    fields.add(LLVM::AddressOfOp::create(builder, location, description));
    for (uint32_t first : {part.probe, part.table})
      fields.addNumber(i32, first);
    all = LLVM::InsertValueOp::create(builder, location, all, fields.get(),
                                      int64_t(index));
  }
  LLVM::ReturnOp::create(builder, location, all);
  return global;
}

Value RuntimeModule::getAddress(OpBuilder &builder, Location location,
                                Operation *op) {
  if (!description)
    return PartReader(builder, location, op).getModule();
  return LLVM::AddressOfOp::create(builder, location, description);
}

Value RuntimeModule::getProbe(OpBuilder &builder, Location location,
                              Operation *op, uint32_t own) {
  if (!description)
    return PartReader(builder, location, op).getProbe(own);
  return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                  builder.getI32IntegerAttr(int32_t(own)));
}

Value RuntimeModule::getTable(OpBuilder &builder, Location location,
                              Operation *op, uint32_t own) {
  if (!description)
    return PartReader(builder, location, op).getTable(own);
  return getProbe(builder, location, op, own);
}

Value RuntimeModule::getPart(OpBuilder &builder, Location location,
                             uint32_t dispatch) {
  Value base = LLVM::AddressOfOp::create(builder, location, parts);
  Value place = LLVM::GEPOp::create(builder, location, base.getType(),
                                    getPartType(builder.getContext()), base,
                                    ArrayRef<LLVM::GEPArg>{int32_t(dispatch)});
  return LLVM::PtrToIntOp::create(builder, location, builder.getI64Type(),
                                  place);
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
  SmallVector<Type> arguments = {i32};
  // The description of another module is an argument, too.
  if (!description)
    arguments.push_back(LLVM::LLVMPointerType::get(context));
  auto nothing = LLVM::LLVMVoidType::get(context);
  builder.setInsertionPointToEnd(module.getBody());
  Location location = module.getLoc();
  auto function = LLVM::LLVMFuncOp::create(
      builder, location, "__prof_rt_probe",
      LLVM::LLVMFunctionType::get(nothing, arguments), LLVM::Linkage::Internal);
  symbols.insert(function);
  // If inlined, its return address would be that of the model's function.
  function.setNoInline(true);

  OpBuilder body = OpBuilder::atBlockBegin(function.addEntryBlock(builder));
  Value level =
      LLVM::ConstantOp::create(body, location, i32, body.getI32IntegerAttr(0));
  Value address =
      LLVM::CallIntrinsicOp::create(
          body, location, LLVM::LLVMPointerType::get(context),
          body.getStringAttr("llvm.returnaddress"), ValueRange{level})
          .getResult(0);
  Value described =
      description
          ? Value(LLVM::AddressOfOp::create(body, location, description))
          : function.getArgument(1);
  call(body, location, "prof_rt_handler", nothing,
       {described, function.getArgument(0), address});
  LLVM::ReturnOp::create(body, location, ValueRange{});
  return function;
}

void RuntimeModule::callHandler(Operation *op, uint32_t probe) {
  if (!handlerCall)
    handlerCall = createHandlerCall();
  OpBuilder builder(op);
  Location location = op->getLoc();
  SmallVector<Value> arguments = {getProbe(builder, location, op, probe)};
  if (!description)
    arguments.push_back(getAddress(builder, location, op));
  auto call = LLVM::CallOp::create(builder, location, handlerCall, arguments);
  // A tail call at the function's end would return to its caller: not an
  // address of this function, and the same one as for another probe.
  call.setTailCallKind(LLVM::tailcallkind::TailCallKind::NoTail);
}
