//===- Constants.cpp - Constants outside of the object --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
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

/// The elements of `attribute`, integers of a width such as 1 or 4, each in
/// whole bytes.
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

/// The `size` bytes of `value` as laid out in memory; none if they cannot be
/// obtained that way.
static std::optional<llvm::ArrayRef<char>>
getBytes(Attribute value, uint64_t size, Storage &storage) {
  auto keep = [&](std::vector<char> bytes) -> llvm::ArrayRef<char> {
    return storage.buffers.emplace_back(std::move(bytes));
  };
  auto keepCopy = [&](llvm::ArrayRef<char> data) {
    return storage.blobs.emplace_back(copyConstant(data)).getData();
  };
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || getElementBytes(resource.getElementType()) == 0)
      return std::nullopt;
    if (blob->getData().size() != size)
      return std::nullopt;
    if (ConstantScope *scope = ConstantScope::find(value.getContext()))
      if (std::optional<AsmResourceBlob> taken = scope->take(resource))
        return storage.blobs.emplace_back(std::move(*taken)).getData();
    // A blob that is not mutable may be a mapped file, which can change later.
    return blob->isMutable() ? blob->getData() : keepCopy(blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !isa<DenseIntOrFPElementsAttr>(dense) ||
      dense.getNumElements() == 0)
    return std::nullopt;
  uint64_t count = uint64_t(dense.getNumElements());
  uint64_t bytes = getElementBytes(dense.getElementType());
  if (bytes == 0) {
    if (!dense.getElementType().isInteger() || size % count != 0)
      return std::nullopt;
    return keep(unpack(dense, size / count));
  }
  if (size != bytes * count)
    return std::nullopt;
  if (dense.isSplat())
    return keep(repeat(dense.getRawData(), count));
  return dense.getRawData();
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
    auto bytes = getBytes(value, size.getFixedValue(), *storage);
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
