//===- ProbeParts.cpp - Probes of code that is compiled apart -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeParts.h"

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Runtime/prof_raw.h"
#include "mlir-prof/Runtime/prof_rt.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

static StringRef getPartName() { return prof::ProfDialect::getPartAttrName(); }

//===----------------------------------------------------------------------===//
// The list of parts
//===----------------------------------------------------------------------===//

static DenseI32ArrayAttr encode(Builder &builder, ArrayRef<uint32_t> numbers) {
  return builder.getDenseI32ArrayAttr(
      SmallVector<int32_t>(numbers.begin(), numbers.end()));
}

void transforms::setKernelProbes(ModuleOp module,
                                 ArrayRef<KernelProbes> kernels,
                                 ArrayRef<uint32_t> kernelOf) {
  Builder builder(module.getContext());
  SmallVector<Attribute> entries;
  for (const KernelProbes &kernel : kernels)
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("parents", encode(builder, kernel.parents)),
         builder.getNamedAttr("lengths",
                              encode(builder, kernel.tupleLengths))}));
  module->setAttr(
      prof::ProfDialect::getPartsAttrName(),
      builder.getDictionaryAttr(
          {builder.getNamedAttr("kernels", builder.getArrayAttr(entries)),
           builder.getNamedAttr("dispatches", encode(builder, kernelOf))}));
}

namespace {
/// Reads prof.parts, and adds what it lists to a layout.
class LayoutBuilder {
public:
  LayoutBuilder(ModuleOp module, ProbeLayout &layout)
      : module(module), layout(layout) {}

  LogicalResult addParts();

private:
  LogicalResult fail(StringRef what) {
    return module.emitError("'prof.parts': ") << what;
  }
  LogicalResult readKernel(Attribute attribute);
  void addPart(uint32_t dispatch, size_t kernel);
  void addOffsets();

  ModuleOp module;
  ProbeLayout &layout;
  std::vector<KernelProbes> kernels;
  /// By kernel: the numbers of its first probe and table in the program of
  /// the whole model.
  std::vector<std::pair<uint32_t, uint32_t>> listedFrom;
};
} // namespace

LogicalResult LayoutBuilder::readKernel(Attribute attribute) {
  auto entry = dyn_cast<DictionaryAttr>(attribute);
  auto parents = entry ? entry.getAs<DenseI32ArrayAttr>("parents") : nullptr;
  auto lengths = entry ? entry.getAs<DenseI32ArrayAttr>("lengths") : nullptr;
  if (!parents || !lengths)
    return fail("a kernel does not have lists of probes and tables");
  KernelProbes kernel;
  for (auto [index, parent] : llvm::enumerate(parents.asArrayRef())) {
    if (uint32_t(parent) != kNone && uint32_t(parent) >= index)
      return fail("the parent of a probe does not precede it");
    kernel.parents.push_back(uint32_t(parent));
  }
  constexpr int32_t kMaxLength = 1 << 20;
  for (int32_t length : lengths.asArrayRef()) {
    if (length < 0 || length > kMaxLength)
      return fail("a table has tuples of a length that is out of range");
    kernel.tupleLengths.push_back(uint32_t(length));
  }
  listedFrom.emplace_back(layout.listedProbes, layout.listedTables);
  layout.listedProbes += uint32_t(kernel.parents.size());
  layout.listedTables += uint32_t(kernel.tupleLengths.size());
  kernels.push_back(std::move(kernel));
  return success();
}

void LayoutBuilder::addPart(uint32_t dispatch, size_t kernel) {
  ProbeLayout::Part part;
  part.probe = uint32_t(layout.parents.size());
  part.table = uint32_t(layout.tupleLengths.size());
  for (auto [index, parent] : llvm::enumerate(kernels[kernel].parents)) {
    layout.parents.push_back(parent == kNone ? kNone : part.probe + parent);
    layout.probePlaces.push_back(
        PROF_RAW_PLACE(listedFrom[kernel].first + index, dispatch));
  }
  for (auto [index, length] : llvm::enumerate(kernels[kernel].tupleLengths)) {
    layout.tupleLengths.push_back(length);
    layout.tablePlaces.push_back(
        PROF_RAW_PLACE(listedFrom[kernel].second + index, dispatch));
  }
  layout.parts.push_back(part);
}

/// The words of a part are known once all parts are.
void LayoutBuilder::addOffsets() {
  std::vector<int64_t> cells;
  int64_t word = layout.getFirstCell();
  for (uint32_t length : layout.tupleLengths) {
    cells.push_back(word);
    word += PROF_RT_CELL_WORDS(int64_t(length));
  }
  cells.push_back(word);
  for (ProbeLayout::Part &part : layout.parts) {
    part.slots = int64_t(part.probe) * PROF_RT_SLOT_WORDS;
    part.cells = cells[part.table];
    part.open = word + part.probe;
  }
}

LogicalResult LayoutBuilder::addParts() {
  Attribute attribute = module->getAttr(prof::ProfDialect::getPartsAttrName());
  if (!attribute)
    return success();
  auto list = dyn_cast<DictionaryAttr>(attribute);
  auto entries = list ? list.getAs<ArrayAttr>("kernels") : nullptr;
  auto dispatches =
      list ? list.getAs<DenseI32ArrayAttr>("dispatches") : nullptr;
  if (!entries || !dispatches)
    return fail("it does not have lists of kernels and dispatches");
  for (size_t probe = 0; probe != layout.parents.size(); ++probe)
    layout.probePlaces.push_back(probe);
  for (size_t table = 0; table != layout.tupleLengths.size(); ++table)
    layout.tablePlaces.push_back(table);
  for (Attribute entry : entries)
    if (failed(readKernel(entry)))
      return failure();
  for (auto [dispatch, kernel] : llvm::enumerate(dispatches.asArrayRef())) {
    if (kernel < 0 || size_t(kernel) >= kernels.size())
      return fail("a dispatch runs a kernel that is not listed");
    addPart(uint32_t(dispatch), size_t(kernel));
  }
  addOffsets();
  return success();
}

FailureOr<ProbeLayout> transforms::layOutProbes(ModuleOp module,
                                                const Program &program) {
  ProbeLayout layout;
  for (const ProgramProbe &probe : program.probes)
    layout.parents.push_back(probe.parent);
  for (const ValueSite &site : program.sites)
    layout.tupleLengths.push_back(uint32_t(site.names.size()));
  layout.listedProbes = uint32_t(layout.parents.size());
  layout.listedTables = uint32_t(layout.tupleLengths.size());
  if (failed(LayoutBuilder(module, layout).addParts()))
    return failure();
  return layout;
}

int64_t ProbeLayout::getFirstCell() const {
  return int64_t(parents.size()) * PROF_RT_SLOT_WORDS;
}

int64_t ProbeLayout::getFirstOpen() const {
  int64_t words = getFirstCell();
  for (uint32_t length : tupleLengths)
    words += PROF_RT_CELL_WORDS(int64_t(length));
  return words;
}

uint64_t ProbeLayout::countWords() const {
  return PROF_RT_HEADER_WORDS + uint64_t(getFirstOpen()) + parents.size();
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

static Value findPartOf(FunctionOpInterface function) {
  if (function.isExternal())
    return {};
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    if (function.getArgAttr(i, getPartName()) &&
        function.getArgument(i).getType().isInteger(64))
      return function.getArgument(i);
  return {};
}

Value transforms::findPart(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return function ? findPartOf(function) : Value();
}

bool transforms::isShared(ModuleOp module) {
  return llvm::any_of(
      module.getOps<FunctionOpInterface>(),
      [](FunctionOpInterface function) { return bool(findPartOf(function)); });
}

LLVM::LLVMStructType transforms::getPartType(MLIRContext *context) {
  Type i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  return LLVM::LLVMStructType::getLiteral(
      context, {i64, i64, i64, LLVM::LLVMPointerType::get(context), i32, i32});
}

PartReader::PartReader(OpBuilder &builder, Location location, Operation *op)
    : builder(builder), location(location) {
  record = LLVM::IntToPtrOp::create(
      builder, location, LLVM::LLVMPointerType::get(builder.getContext()),
      findPart(op));
}

Value PartReader::load(Type type, int32_t field) {
  Value address = LLVM::GEPOp::create(
      builder, location, record.getType(), getPartType(builder.getContext()),
      record, ArrayRef<LLVM::GEPArg>{0, field}, LLVM::GEPNoWrapFlags::inbounds);
  return LLVM::LoadOp::create(builder, location, type, address);
}

Value PartReader::addNumber(int32_t field, uint32_t own) {
  Type i32 = builder.getI32Type();
  Value first = load(i32, field);
  Value number = LLVM::ConstantOp::create(builder, location, i32,
                                          builder.getI32IntegerAttr(own));
  return LLVM::AddOp::create(builder, location, first, number);
}

Value PartReader::getSlots() { return load(builder.getI64Type(), 0); }
Value PartReader::getCells() { return load(builder.getI64Type(), 1); }
Value PartReader::getOpen() { return load(builder.getI64Type(), 2); }
Value PartReader::getModule() { return load(record.getType(), 3); }
Value PartReader::getProbe(uint32_t own) { return addNumber(4, own); }
Value PartReader::getTable(uint32_t own) { return addNumber(5, own); }
