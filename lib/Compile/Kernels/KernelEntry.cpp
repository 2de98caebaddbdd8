//===- KernelEntry.cpp - The interface of a kernel's code -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEntry.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Lowering.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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

/// The sizes in the attribute `name` of `function`, by dimension.
static void readSizes(func::FuncOp function, StringRef name,
                      std::array<uint32_t, 3> &sizes) {
  if (auto given = function->getAttrOfType<DenseI32ArrayAttr>(name))
    for (auto [size, value] : llvm::zip_equal(sizes, given.asArrayRef()))
      size = uint32_t(value);
}

namespace {
/// Makes a kernel, or a phase of one, take its buffers one by one: LLVM is told
/// only of arguments that they do not alias.
class Opener {
public:
  explicit Opener(func::FuncOp function)
      : function(function), builder(function.getContext()),
        converter(function.getContext(),
                  codegen::getLoweringOptions(getModule(function))),
        location(findLocation(function)),
        pointer(LLVM::LLVMPointerType::get(function.getContext())) {}

  void open();

  func::FuncOp function;
  /// The types of arguments that are not buffers, which lie in memory too, else
  /// null.
  SmallVector<Type> scalars;
  /// The places in the workspace of the arguments that are in it.
  SmallVector<std::optional<int64_t>> places;
  /// Number of dynamic sizes, which follow the kernel's other arguments.
  unsigned sizes = 0;
  /// The dimensions of the grid whose position is an argument, the last ones.
  SmallVector<unsigned> dimensions;

  static Location findLocation(func::FuncOp function);

private:
  static ModuleOp getModule(func::FuncOp function) {
    return function->getParentOfType<ModuleOp>();
  }
  void openArguments();
  void openGrid();
  Value makeBuffer(MemRefType type, Value address);

  OpBuilder builder;
  LLVMTypeConverter converter;
  Location location;
  Type pointer;
};

/// Builds the function that takes addresses.
class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, StringRef symbol,
               ArrayRef<std::unique_ptr<Opener>> phases)
      : symbol(symbol), phases(phases), builder(module.getContext()),
        converter(module.getContext(), codegen::getLoweringOptions(module)),
        location(Opener::findLocation(phases.front()->function)),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void build();

private:
  Value load(Type type, Value base, int64_t index);
  Value loadScalar(Type type, Value address);
  Value loadSize(int64_t index);
  Value getPlace(int64_t offset, int64_t binding);
  void callPhase(const Opener &phase);
  void choosePhase();

  StringRef symbol;
  ArrayRef<std::unique_ptr<Opener>> phases;
  OpBuilder builder;
  LLVMTypeConverter converter;
  Location location;
  Type pointer;
  func::FuncOp entry;
};
} // namespace

/// That of the first op with an identity: the entry is a part of its work.
Location Opener::findLocation(func::FuncOp function) {
  Location found = function.getLoc();
  function.walk([&](Operation *op) {
    if (op == function || !prof::hasIdentity(op->getLoc()))
      return WalkResult::advance();
    found = op->getLoc();
    return WalkResult::interrupt();
  });
  return found;
}

/// A buffer of `type`, which is contiguous, at `address`.
Value Opener::makeBuffer(MemRefType type, Value address) {
  auto descriptor =
      MemRefDescriptor::poison(builder, location, converter.convertType(type));
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(
        builder, location, converter.getIndexType(),
        builder.getIntegerAttr(converter.getIndexType(), value));
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
    extents.push_back(function.getBody().front().addArgument(
        converter.getIndexType(), location));
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

void Opener::openArguments() {
  Block &block = function.getBody().front();
  builder.setInsertionPointToStart(&block);
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
    BlockArgument argument = block.getArgument(i);
    auto type = dyn_cast<MemRefType>(argument.getType());
    scalars.push_back(type ? Type() : argument.getType());
    auto place = function.getArgAttrOfType<IntegerAttr>(i, codegen::kWorkspace);
    places.push_back(place ? std::optional(place.getInt()) : std::nullopt);
    if (!type)
      continue;
    argument.setType(pointer);
    Value buffer = makeBuffer(type, argument);
    argument.replaceUsesWithIf(buffer, [&](OpOperand &use) {
      return !isa<LLVM::LLVMDialect>(use.getOwner()->getDialect());
    });
  }
}

/// Positions in the grid become arguments.
void Opener::openGrid() {
  Block &block = function.getBody().front();
  for (unsigned dimension = 0; dimension != 3; ++dimension) {
    Value argument;
    function.walk([&](dispatch::WorkgroupIdOp id) {
      if (id.getDimension() != dimension)
        return;
      if (!argument) {
        argument = block.addArgument(builder.getIndexType(), location);
        dimensions.push_back(dimension);
      }
      id.replaceAllUsesWith(argument);
      id.erase();
    });
  }
}

void Opener::open() {
  openArguments();
  openGrid();
  Block &block = function.getBody().front();
  for (unsigned i = 0, e = unsigned(places.size()); i != e; ++i)
    function.removeArgAttr(i, codegen::kWorkspace);
  function.setType(builder.getFunctionType(block.getArgumentTypes(), {}));
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (type == pointer)
      function.setArgAttr(unsigned(index),
                          LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  function.setPrivate();
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

/// Parameters have 64 bits on all targets.
Value EntryBuilder::loadSize(int64_t index) {
  Value size = load(builder.getI64Type(), entry.getArgument(1), index);
  Type type = converter.getIndexType();
  return type == size.getType()
             ? size
             : LLVM::TruncOp::create(builder, location, type, size);
}

/// The address `offset` bytes behind that of a binding.
Value EntryBuilder::getPlace(int64_t offset, int64_t binding) {
  Value base = load(pointer, entry.getArgument(0), binding);
  Value distance =
      LLVM::ConstantOp::create(builder, location, builder.getI64Type(),
                               builder.getI64IntegerAttr(offset));
  return LLVM::GEPOp::create(builder, location, pointer, builder.getI8Type(),
                             base, distance);
}

void EntryBuilder::callPhase(const Opener &phase) {
  auto workspace = int64_t(llvm::count(phase.places, std::nullopt));
  SmallVector<Value> arguments;
  for (auto [index, scalar] : llvm::enumerate(phase.scalars)) {
    if (phase.places[index]) {
      arguments.push_back(getPlace(*phase.places[index], workspace));
      continue;
    }
    Value address = load(pointer, entry.getArgument(0), int64_t(index));
    arguments.push_back(scalar ? loadScalar(scalar, address) : address);
  }
  for (unsigned i = 0; i != phase.sizes; ++i)
    arguments.push_back(loadSize(int64_t(i)));
  for (unsigned dimension : phase.dimensions)
    arguments.push_back(
        arith::IndexCastUIOp::create(builder, location, builder.getIndexType(),
                                     entry.getArgument(2 + dimension)));
  func::CallOp::create(builder, location, phase.function, arguments);
  func::ReturnOp::create(builder, location);
}

/// The parameter behind the sizes is the number of the phase.
void EntryBuilder::choosePhase() {
  Value number = load(builder.getI64Type(), entry.getArgument(1),
                      int64_t(phases.front()->sizes));
  Block *start = builder.getInsertionBlock();
  SmallVector<Block *> blocks;
  SmallVector<APInt> values;
  for (auto [index, phase] : llvm::enumerate(phases)) {
    blocks.push_back(builder.createBlock(&entry.getBody()));
    callPhase(*phase);
    if (index != 0)
      values.push_back(APInt(64, index));
  }
  builder.setInsertionPointToEnd(start);
  SmallVector<ValueRange> none(values.size());
  cf::SwitchOp::create(builder, location, number, blocks.front(), ValueRange(),
                       ArrayRef(values), ArrayRef(blocks).drop_front(), none);
}

void EntryBuilder::build() {
  Type number = builder.getI32Type();
  auto type =
      builder.getFunctionType({pointer, pointer, number, number, number}, {});
  func::FuncOp last = phases.back()->function;
  builder.setInsertionPointAfter(last);
  entry = func::FuncOp::create(builder, last.getLoc(), symbol, type);
  builder.setInsertionPointToStart(entry.addEntryBlock());
  if (phases.size() == 1)
    callPhase(*phases.front());
  else
    choosePhase();
}

/// The functions of the kernel: its phases, or the only public one.
static SmallVector<func::FuncOp> findPhases(ModuleOp module) {
  SmallVector<func::FuncOp> phases;
  for (auto function : module.getOps<func::FuncOp>())
    if (dispatch::isKernel(function) && !function.isExternal())
      phases.push_back(function);
  if (!phases.empty())
    return phases;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      return {function};
  return {};
}

void compile::markKernel(ModuleOp module) {
  for (func::FuncOp kernel : findPhases(module)) {
    kernel.setPrivate();
    kernel->setAttr(dispatch::DispatchDialect::getKernelAttrName(),
                    UnitAttr::get(module.getContext()));
  }
}

KernelPhases compile::addKernelEntry(ModuleOp module, StringRef symbol) {
  KernelPhases described;
  std::vector<std::unique_ptr<Opener>> phases;
  for (func::FuncOp function : findPhases(module)) {
    KernelPhase phase;
    readSizes(function, codegen::kPhaseGrid, phase.grid);
    if (auto cost = function->getAttrOfType<IntegerAttr>(codegen::kPhaseCost))
      phase.costNs = uint32_t(cost.getInt());
    if (auto bytes = function->getAttrOfType<IntegerAttr>(codegen::kWorkspace))
      described.workspaceBytes = uint64_t(bytes.getInt());
    described.phases.push_back(phase);
    for (StringRef name :
         {dispatch::DispatchDialect::getKernelAttrName(), codegen::kPhaseGrid,
          codegen::kPhaseCost, codegen::kWorkspace})
      function->removeAttr(name);
    phases.push_back(std::make_unique<Opener>(function));
    phases.back()->open();
  }
  if (!phases.empty())
    EntryBuilder(module, symbol, phases).build();
  return described;
}

/// Whether a buffer is written through `argument`, which is not copied.
static bool isStored(BlockArgument argument) {
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    return !isa<memref::LoadOp>(use.getOwner());
  });
}

/// Numbers become the addresses of numbers, which LLVM may assume not to
/// change, as it may of buffers that are only read.
static void passByAddress(func::FuncOp function, ArrayRef<bool> areRead) {
  Block &block = function.getBody().front();
  MLIRContext *context = function.getContext();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  auto pointer = LLVM::LLVMPointerType::get(context);
  LLVMTypeConverter converter(
      context,
      codegen::getLoweringOptions(function->getParentOfType<ModuleOp>()));
  for (auto [argument, isRead] :
       llvm::zip_equal(block.getArguments(), areRead)) {
    Type type = argument.getType();
    unsigned number = argument.getArgNumber();
    if (type != pointer) {
      Type lowered = converter.convertType(type);
      argument.setType(pointer);
      Value number =
          LLVM::LoadOp::create(builder, argument.getLoc(), lowered, argument);
      Operation *load = number.getDefiningOp();
      if (lowered != type)
        number = UnrealizedConversionCastOp::create(builder, argument.getLoc(),
                                                    type, number)
                     .getResult(0);
      argument.replaceAllUsesExcept(number, load);
    } else {
      function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(kGpuAlignment));
    }
    function.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
    if (isRead)
      function.setArgAttr(number, LLVM::LLVMDialect::getReadonlyAttrName(),
                          builder.getUnitAttr());
  }
  function.setType(builder.getFunctionType(block.getArgumentTypes(), {}));
}

/// The most shared memory that a module may declare; a launch gives more.
static constexpr uint64_t kMostDeclaredShared = 48 << 10;

static uint64_t getBytes(memref::AllocaOp op) {
  MemRefType type = op.getType();
  return uint64_t(type.getNumElements()) *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8u);
}

/// Memory of workgroups becomes parts of the memory that the launch gives, of
/// which the size is returned.
static uint32_t takeShared(func::FuncOp function,
                           SmallVector<memref::AllocaOp> found) {
  OpBuilder builder(function);
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  uint64_t most = 1, bytes = 0;
  for (memref::AllocaOp op : found)
    most = std::max(most, op.getAlignment().value_or(1));
  MemRefType whole = MemRefType::get({0}, builder.getI8Type(), AffineMap(),
                                     found.front().getType().getMemorySpace());
  auto global = memref::GlobalOp::create(
      builder, function.getLoc(), "shared", builder.getStringAttr("public"),
      whole, Attribute(), /*constant=*/false,
      builder.getI64IntegerAttr(int64_t(most)));
  symbols.insert(global);
  for (memref::AllocaOp op : found) {
    builder.setInsertionPoint(op);
    bytes = llvm::alignTo(bytes, op.getAlignment().value_or(1));
    Value memory = memref::GetGlobalOp::create(builder, op.getLoc(), whole,
                                               global.getSymName());
    Value offset =
        arith::ConstantIndexOp::create(builder, op.getLoc(), int64_t(bytes));
    bytes += getBytes(op);
    op.replaceAllUsesWith(Value(memref::ViewOp::create(
        builder, op.getLoc(), op.getType(), memory, offset, ValueRange())));
    op.erase();
  }
  return uint32_t(bytes);
}

/// Memory of workgroups becomes variables of the module, or, if that is more
/// than a module may have, memory that the launch gives, of which the size is
/// returned.
static uint32_t declareShared(func::FuncOp function) {
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  SmallVector<memref::AllocaOp> found;
  uint64_t bytes = 0;
  function.walk([&](memref::AllocaOp op) {
    if (!op.getType().getMemorySpace())
      return;
    found.push_back(op);
    bytes += getBytes(op);
  });
  if (bytes > kMostDeclaredShared)
    return takeShared(function, found);
  for (memref::AllocaOp op : found) {
    OpBuilder builder(function);
    auto global = memref::GlobalOp::create(
        builder, op.getLoc(), "shared", builder.getStringAttr("private"),
        op.getType(), builder.getUnitAttr(), /*constant=*/false,
        op.getAlignmentAttr());
    symbols.insert(global);
    builder.setInsertionPoint(op);
    Value memory = memref::GetGlobalOp::create(
        builder, op.getLoc(), op.getType(), global.getSymName());
    op.replaceAllUsesWith(memory);
    op.erase();
  }
  return 0;
}

KernelPhases compile::addGpuEntry(ModuleOp module, StringRef symbol) {
  KernelPhases described;
  for (func::FuncOp function : findPhases(module)) {
    KernelPhase &phase = described.phases.emplace_back();
    phase.sharedBytes = declareShared(function);
    readSizes(function, codegen::kPhaseGrid, phase.grid);
    readSizes(function, codegen::kPhaseBlock, phase.block);
    for (StringRef name : {dispatch::DispatchDialect::getKernelAttrName(),
                           codegen::kPhaseGrid, codegen::kPhaseBlock})
      function->removeAttr(name);
    SmallVector<bool> areRead = llvm::map_to_vector(
        function.getArguments(), [](BlockArgument argument) {
          return !isa<MemRefType>(argument.getType()) || !isStored(argument);
        });
    Opener(function).open();
    passByAddress(function, areRead);
    function.setSymName(symbol);
    function.setPublic();
    Builder builder(module.getContext());
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    // While threads of one workgroup wait, those of another one work, unless
    // a workgroup needs all registers.
    if (!function->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName()))
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(2));
    SmallVector<int32_t> threads(phase.block.begin(), phase.block.end());
    function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                      builder.getDenseI32ArrayAttr(threads));
  }
  return described;
}
