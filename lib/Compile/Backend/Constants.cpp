//===- Constants.cpp - Constants outside of the object --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include <deque>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

namespace {
/// Bytes that attributes do not store in this form, or do not keep.
struct Storage {
  std::shared_ptr<void> before;
  std::deque<std::vector<char>> buffers;
  std::deque<AsmResourceBlob> blobs;
};
} // namespace

/// Bytes of one element in memory, or 0 for elements that an attribute does not
/// store in whole bytes.
static uint64_t getElementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return 0;
  return type.getIntOrFloatBitWidth() / 8;
}

/// The elements of `attribute`, integers of a width such as 1 or 4 or indices,
/// each in whole bytes.
static std::vector<char> unpack(DenseElementsAttr attribute, uint64_t bytes) {
  std::vector<char> unpacked;
  unpacked.reserve(attribute.getNumElements() * bytes);
  for (const APInt &value : attribute.getValues<APInt>()) {
    APInt whole = value.zextOrTrunc(unsigned(bytes * 8));
    const char *data = reinterpret_cast<const char *>(whole.getRawData());
    unpacked.insert(unpacked.end(), data, data + bytes);
  }
  return unpacked;
}

static std::vector<char> repeat(llvm::ArrayRef<char> element, uint64_t count) {
  std::vector<char> bytes;
  bytes.reserve(element.size() * count);
  for (uint64_t i = 0; i != count; ++i)
    bytes.insert(bytes.end(), element.begin(), element.end());
  return bytes;
}

/// The `size` bytes of `dense` as laid out in memory; none if they cannot be
/// obtained that way.
static std::optional<llvm::ArrayRef<char>>
getBytes(DenseElementsAttr dense, uint64_t size, Storage &storage) {
  auto keep = [&](std::vector<char> bytes) -> llvm::ArrayRef<char> {
    return storage.buffers.emplace_back(std::move(bytes));
  };
  if (!isa<DenseIntOrFPElementsAttr>(dense) || dense.getNumElements() == 0)
    return std::nullopt;
  uint64_t count = uint64_t(dense.getNumElements());
  Type element = dense.getElementType();
  uint64_t bytes = getElementBytes(element);
  // An attribute has 64 bits for an index, whatever the target has.
  if (bytes == 0 || element.isIndex()) {
    if (!element.isIntOrIndex() || size % count != 0)
      return std::nullopt;
    return keep(unpack(dense, size / count));
  }
  if (size != bytes * count)
    return std::nullopt;
  if (dense.isSplat())
    return keep(repeat(dense.getRawData(), count));
  return dense.getRawData();
}

/// The blob of `resource` if it has `size` bytes, else null.
static const AsmResourceBlob *getBlob(DenseResourceElementsAttr resource,
                                      uint64_t size) {
  const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isWhole = blob && blob->getData().size() == size &&
                 getElementBytes(resource.getElementType()) != 0;
  return isWhole ? blob : nullptr;
}

/// The same for `value`, whose bytes may move to `storage`.
static std::optional<llvm::ArrayRef<char>>
takeBytes(Attribute value, uint64_t size, Storage &storage) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource) {
    auto dense = dyn_cast<DenseElementsAttr>(value);
    return dense ? getBytes(dense, size, storage) : std::nullopt;
  }
  const AsmResourceBlob *blob = getBlob(resource, size);
  if (!blob)
    return std::nullopt;
  if (ConstantScope *scope = ConstantScope::find(value.getContext()))
    if (std::optional<AsmResourceBlob> taken = scope->take(resource))
      return storage.blobs.emplace_back(std::move(*taken)).getData();
  // A blob that is not mutable may be a mapped file, which can change later.
  return blob->isMutable()
             ? blob->getData()
             : storage.blobs.emplace_back(copyConstant(blob->getData()))
                   .getData();
}

std::optional<std::vector<char>> compile::readConstant(Attribute value,
                                                       uint64_t size) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    const AsmResourceBlob *blob = getBlob(resource, size);
    return blob ? std::optional(std::vector<char>(blob->getData()))
                : std::nullopt;
  }
  if (isa<IntegerAttr, FloatAttr>(value))
    value = DenseElementsAttr::get(
        RankedTensorType::get({}, cast<TypedAttr>(value).getType()), value);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  if (dense.getNumElements() == 0)
    return std::vector<char>();
  Storage storage;
  std::optional<llvm::ArrayRef<char>> bytes = getBytes(dense, size, storage);
  return bytes ? std::optional(std::vector<char>(*bytes)) : std::nullopt;
}

void compile::cutConstants(ModuleOp module, uint64_t minimum,
                           CompiledModel &model) {
  auto storage = std::make_shared<Storage>();
  DataLayout layout(module);
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    Attribute value = global.getValueOrNull();
    if (!value || !global.getConstant() || !isa<ElementsAttr>(value))
      continue;
    llvm::TypeSize size = layout.getTypeSize(global.getGlobalType());
    if (size.isScalable() || size.getFixedValue() < minimum)
      continue;
    auto bytes = takeBytes(value, size.getFixedValue(), *storage);
    if (!bytes)
      continue;
    // Code may rely on its knowledge of the alignment, so keep the promised
    // one.
    constexpr uint64_t kCacheLine = 64;
    uint64_t alignment = std::max<uint64_t>(
        global.getAlignment().value_or(kCacheLine), kCacheLine);
    global.setAlignment(alignment);
    global.setLinkage(LLVM::Linkage::External);
    global.setDsoLocal(false);
    global.removeValueAttr();
    model.constants.push_back({global.getSymName().str(), *bytes, alignment});
  }
  storage->before = std::move(model.storage);
  model.storage = std::move(storage);
}

void compile::shareConstants(ModuleOp module, llvm::StringRef prefix,
                             CompiledModel &model) {
  cutConstants(module, /*minimum=*/1, model);
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  SymbolTable &symbols = tables.getSymbolTable(module);
  std::vector<ExternalConstant> shared;
  for (ExternalConstant &constant : model.constants) {
    auto global = symbols.lookup<LLVM::GlobalOp>(constant.name);
    llvm::StringRef bytes(constant.bytes.data(), constant.bytes.size());
    std::string hash = contentHash(bytes);
    constant.name = (prefix + "_constant_" + hash).str();
    auto name = StringAttr::get(module.getContext(), constant.name);
    users.replaceAllUsesWith(global, name);
    auto same = llvm::find_if(shared, [&](const ExternalConstant &other) {
      return other.name == constant.name;
    });
    if (same != shared.end()) {
      same->alignment = std::max(same->alignment, constant.alignment);
      symbols.erase(global);
      continue;
    }
    symbols.remove(global);
    global.setSymName(name);
    global.setVisibility_(LLVM::Visibility::Hidden);
    global.setDsoLocal(true);
    symbols.insert(global);
    shared.push_back(std::move(constant));
  }
  model.constants = std::move(shared);
}
