//===- LowerPrograms.cpp - Programs of the executor -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Buffers/BufferPlan.h"
#include "Conflicts.h"
#include "RunLowering.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

//===----------------------------------------------------------------------===//
// Places of buffers
//===----------------------------------------------------------------------===//

namespace {
/// A part of a larger buffer, `offset` bytes behind its begin.
struct BufferPlace {
  Value base;
  int64_t offset = 0;
};
} // namespace

/// Follows views of known places.
static BufferPlace findPlace(Value buffer) {
  BufferPlace place = {buffer, 0};
  while (Operation *op = place.base.getDefiningOp()) {
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            op)) {
      auto source = dyn_cast<MemRefType>(op->getOperand(0).getType());
      if (!source || !source.getLayout().isIdentity())
        break;
      place.base = op->getOperand(0);
      continue;
    }
    auto view = dyn_cast<memref::ViewOp>(op);
    if (!view)
      break;
    std::optional<int64_t> shift = getConstantIntValue(view.getByteShift());
    int64_t offset = 0;
    if (!shift || llvm::AddOverflow(place.offset, *shift, offset))
      break;
    place = {view.getSource(), offset};
  }
  return place;
}

/// Bytes of a buffer; none if they are not known.
static std::optional<int64_t> getBytes(MemRefType type) {
  int64_t bytes = getNumberBytes(type.getElementType());
  if (bytes == 0 || !type.hasStaticShape())
    return std::nullopt;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

/// The bytes of an operand of type `type` at `place`.
static ByteAccess getAccess(BufferPlace place, MemRefType type, bool isWrite) {
  ByteAccess access = {place.base, 0, INT64_MAX, isWrite, false};
  if (isa<BlockArgument>(place.base)) {
    auto *owner = cast<BlockArgument>(place.base).getOwner()->getParentOp();
    access.isAnywhere = !isa<FunctionOpInterface>(owner);
    access.base = Value();
    return access;
  }
  if (!isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
          place.base.getDefiningOp())) {
    access.isAnywhere = true;
    return access;
  }
  access.begin = place.offset;
  std::optional<int64_t> bytes = getBytes(type);
  int64_t end = 0;
  if (bytes && !llvm::AddOverflow(access.begin, *bytes, end))
    access.end = end;
  return access;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Bytes that a workgroup of a copy moves, and the time of it.
static constexpr int64_t kCopyBytes = int64_t(64) << 10;
static constexpr uint32_t kCopyNs = 6000;
/// The number of a copy: the last that the executor takes, which no dispatch
/// has.
static constexpr uint32_t kNoInstance = 0xffffff00;
/// Buffers that a program may keep longer than a list of calls would.
static constexpr unsigned kMostKept = 16;

namespace {
/// Dispatches and copies of a block that become one program.
struct Program {
  SmallVector<Operation *> steps;
  /// Between them; they take place afterward.
  SmallVector<Operation *> deallocs;
};
} // namespace

namespace mlirprof::codegen {
/// Turns one program into a call of the executor.
class ProgramLowering {
public:
  ProgramLowering(RunLowering &parent, unsigned number)
      : parent(parent), builder(parent.builder), number(number) {}

  void lower(const Program &program);

private:
  void addRun(RunOp run);
  void addCopy(memref::CopyOp copy);
  TableValue addAddress(Value operand);
  LLVM::LLVMFuncOp addFunction(Location location, std::string name);
  void addThunk(RunOp run);
  void addCopyFunction(memref::CopyOp copy);
  /// Without a value, a declaration.
  LLVM::GlobalOp define(StringRef name, Type type, Attribute value);
  LLVM::GlobalOp addProgram();
  LLVM::GlobalOp declareTable();
  void fill(LLVM::GlobalOp global, ArrayRef<StringRef> symbols);
  LLVM::LLVMFuncOp getRunFunction();
  void callExecutor(Value addresses, Value parameters, LLVM::GlobalOp program);

  RunLowering &parent;
  OpBuilder &builder;
  unsigned number;
  Operation *last = nullptr;
  ConflictFinder conflicts;
  DispatchTable table;
  /// The number of each buffer among the addresses.
  llvm::SmallDenseMap<Value, uint32_t> addresses;
  SmallVector<Value> addressValues, parameters;
  SmallVector<StringRef> kernels;
  std::vector<std::string> thunks;
};
} // namespace mlirprof::codegen

/// Numbers and scalars have places of their own; buffers share those of larger
/// ones.
TableValue ProgramLowering::addAddress(Value operand) {
  BufferPlace place = {operand, 0};
  if (isa<MemRefType>(operand.getType()))
    place = findPlace(operand);
  auto [entry, isNew] =
      addresses.insert({place.base, uint32_t(addressValues.size())});
  if (isNew)
    addressValues.push_back(parent.getAddress(last, place.base));
  return {entry->second, place.offset};
}

/// A new function that the executor calls, at whose begin the builder is.
LLVM::LLVMFuncOp ProgramLowering::addFunction(Location location,
                                              std::string name) {
  builder.setInsertionPointToEnd(parent.module.getBody());
  if (!parent.thunks.insert(name).second)
    name += "_" + std::to_string(number) + "_" +
            std::to_string(table.dispatches.size());
  auto function = LLVM::LLVMFuncOp::create(
      builder, location, name, parent.getKernelType(), LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  thunks.push_back(std::move(name));
  return function;
}

/// A function that calls the kernel for this dispatch alone: a return address
/// in it tells the dispatch.
void ProgramLowering::addThunk(RunOp run) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = run.getLoc();
  LLVM::LLVMFuncOp thunk =
      addFunction(location, (run.getKernel() + "_dispatch_" +
                             Twine(run.getInstance().value_or(0)))
                                .str());
  auto call = LLVM::CallOp::create(builder, location, TypeRange(),
                                   run.getKernel(), thunk.getArguments());
  call.setTailCallKind(LLVM::tailcallkind::TailCallKind::NoTail);
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

/// A function that copies the workgroup's share of the bytes that its parameter
/// tells.
void ProgramLowering::addCopyFunction(memref::CopyOp copy) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = copy.getLoc();
  LLVM::LLVMFuncOp function =
      addFunction(location, "copy_" + std::to_string(number) + "_" +
                                std::to_string(table.dispatches.size()));
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
  int64_t bytes = *getBytes(type);
  dispatch.arguments = {{TableValue::kNoBase, bytes}};
  dispatch.grid[0] = uint32_t(llvm::divideCeil(uint64_t(bytes), kCopyBytes));
  dispatch.costNs = kCopyNs;
  dispatch.dependencies =
      conflicts.add({getAccess(findPlace(copy.getSource()), type, false),
                     getAccess(findPlace(copy.getTarget()), type, true)});
  addCopyFunction(copy);
  kernels.push_back("");
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
    if (auto type = dyn_cast<MemRefType>(value.getType()))
      accesses.push_back(
          getAccess(findPlace(value), type, run.isDpsInit(&operand)));
  }
  for (size_t i = firstSize; i != parameters.size(); ++i)
    dispatch.arguments.push_back({uint32_t(i), 0});
  dispatch.dependencies = conflicts.add(accesses);
  addThunk(run);
  kernels.push_back(run.getKernel());
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

/// Lets `global`, an array or a struct of pointers, hold addresses of
/// `symbols`, null for an empty name; or zeros.
void ProgramLowering::fill(LLVM::GlobalOp global, ArrayRef<StringRef> symbols) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = global.getLoc();
  builder.createBlock(&global.getInitializerRegion());
  Value all;
  if (symbols.empty())
    all = LLVM::ZeroOp::create(builder, location, global.getType());
  else
    all = LLVM::PoisonOp::create(builder, location, global.getType());
  for (auto [index, symbol] : llvm::enumerate(symbols)) {
    Value value;
    if (symbol.empty())
      value = LLVM::ZeroOp::create(builder, location, parent.pointer);
    else
      value =
          LLVM::AddressOfOp::create(builder, location, parent.pointer, symbol);
    all = LLVM::InsertValueOp::create(builder, location, all, value,
                                      int64_t(index));
  }
  LLVM::ReturnOp::create(builder, location, all);
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

/// The prof_executor_program.
LLVM::GlobalOp ProgramLowering::addProgram() {
  LLVM::GlobalOp words = declareTable();
  std::string suffix = std::to_string(number);
  LLVM::GlobalOp code = define(
      "mlirprof_kernels_" + suffix,
      LLVM::LLVMArrayType::get(parent.pointer, unsigned(thunks.size())), {});
  code.setLinkage(LLVM::Linkage::Internal);
  code.setConstant(true);
  fill(code, llvm::to_vector_of<StringRef>(thunks));
  LLVM::GlobalOp program =
      define("mlirprof_program_" + suffix,
             LLVM::LLVMStructType::getLiteral(
                 builder.getContext(),
                 {parent.pointer, parent.pointer, parent.pointer}),
             {});
  program.setLinkage(LLVM::Linkage::Internal);
  fill(program, {words.getSymName(), code.getSymName(), ""});
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

void ProgramLowering::callExecutor(Value addresses, Value parameters,
                                   LLVM::GlobalOp program) {
  Location location = last->getLoc();
  Type number = builder.getI32Type();
  auto zero = builder.getI32IntegerAttr(0);
  LLVM::GlobalOp variable = define(kExecutorVariable, parent.pointer, {});
  if (variable.getInitializerRegion().empty())
    fill(variable, {});
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

void ProgramLowering::lower(const Program &program) {
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
  Value addressArray = parent.makeArray(last, parent.pointer, addressValues);
  Value sizeArray = parent.makeArray(last, builder.getI64Type(), parameters);
  callExecutor(addressArray, sizeArray, addProgram());
  memref::DeallocOp::create(builder, location, workspace);
  for (Operation *dealloc : program.deallocs)
    dealloc->moveBefore(last);
  for (Operation *step : program.steps)
    step->erase();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Whether `op` copies a buffer as one sequence of bytes.
static bool isPlainCopy(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (!copy)
    return false;
  auto from = dyn_cast<MemRefType>(copy.getSource().getType()),
       to = dyn_cast<MemRefType>(copy.getTarget().getType());
  std::optional<int64_t> bytes =
      from && from == to && to.getLayout().isIdentity() ? getBytes(to)
                                                        : std::nullopt;
  return bytes && *bytes > 0 && *bytes / kCopyBytes < UINT16_MAX;
}

/// Whether a dispatch in a table may have as many bindings and arguments as
/// `op` needs. A kernel with phases gets one more argument.
static bool fitsTable(Operation &op) {
  size_t sizes = 1;
  for (Type type : op.getOperandTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      sizes += size_t(buffer.getNumDynamicDims());
  return std::max<size_t>(op.getNumOperands(), sizes) <
         DispatchTable::kMostValues;
}

/// Finds the programs of `block`, but not those of blocks in it.
static void findPrograms(Block &block, SmallVectorImpl<Program> &programs) {
  Program current;
  SmallVector<Operation *> deallocs;
  auto end = [&] {
    // Copies alone do not need an executor.
    if (llvm::any_of(current.steps, llvm::IsaPred<RunOp>))
      programs.push_back(std::move(current));
    current = {};
    deallocs.clear();
  };
  for (Operation &op : block) {
    if (isa<RunOp>(op) || isPlainCopy(&op)) {
      if (!fitsTable(op)) {
        end();
        continue;
      }
      current.steps.push_back(&op);
      current.deallocs.append(std::exchange(deallocs, {}));
      continue;
    }
    if (isa<memref::DeallocOp>(op))
      deallocs.push_back(&op);
    bool isBetween = isa<memref::AllocOp, memref::DeallocOp>(op) ||
                     (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
    if (!isBetween || current.deallocs.size() + deallocs.size() > kMostKept)
      end();
  }
  end();
}

void RunLowering::lowerToPrograms() {
  SmallVector<Program> programs;
  module.walk([&](Block *block) { findPrograms(*block, programs); });
  for (auto [number, program] : llvm::enumerate(programs))
    ProgramLowering(*this, unsigned(number)).lower(program);
  SmallVector<RunOp> rest;
  module.walk([&](RunOp run) { rest.push_back(run); });
  for (RunOp run : rest)
    lowerToCall(run);
}
