//===- LeastWork.cpp - The least work of a model --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastWork.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;

static bool isWideFloat(Value value) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
  return type && type.getWidth() >= 32;
}

/// Whether each loop of `op` runs over the result or is summed over both
/// factors: then no iteration repeats the work of another one.
static bool isFullProduct(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op)) {
    auto dims = linalg::inferContractionDims(op);
    return succeeded(dims) && dims->batch.size() + dims->m.size() +
                                      dims->n.size() + dims->k.size() ==
                                  op.getNumLoops();
  }
  if (!linalg::isaConvolutionOpInterface(op))
    return false;
  auto dims = linalg::inferConvolutionDims(op);
  return succeeded(dims) &&
         dims->batch.size() + dims->outputImage.size() +
                 dims->outputChannel.size() + dims->filterLoop.size() +
                 dims->inputChannel.size() + dims->depth.size() ==
             op.getNumLoops();
}

/// The part of the elements of `padded` that belongs to `source`: for each
/// dimension the windows of a convolution meet the border no more often than
/// the rest.
static double getPart(ShapedType source, ShapedType padded) {
  if (!source.hasStaticShape() || !padded.hasStaticShape() ||
      padded.getNumElements() == 0)
    return 0;
  return double(source.getNumElements()) / double(padded.getNumElements());
}

/// The part of the image of a convolution that may be other than zero. `op`, if
/// not null, makes the image.
static double getImagePart(Operation *op) {
  if (!op || isa<linalg::LinalgOp>(op))
    return 1;
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return getPart(pad.getSourceType(), pad.getResultType());
  // Other ops may spread an image into zeros.
  return isa_and_nonnull<tensor::TensorDialect>(op->getDialect()) ? 0 : 1;
}

/// The same for tosa, which pads in the op itself: before and after each
/// dimension except the first and the last.
template <typename Op>
static double getPaddedPart(Op op) {
  auto image = cast<ShapedType>(op.getInput().getType());
  double part = getImagePart(op.getInput().getDefiningOp());
  ArrayRef<int64_t> pad = op.getPad();
  for (size_t dim = 0; 2 * dim + 1 < pad.size(); ++dim) {
    if (!image.hasRank() || image.isDynamicDim(dim + 1))
      return 0;
    double size = double(image.getDimSize(dim + 1));
    part *= size / (size + double(pad[2 * dim] + pad[2 * dim + 1]));
  }
  return part;
}

double optimize::getNeededPart(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() < 2 || op->use_empty() ||
      !isWideFloat(op->getResult(0)) || !isWideFloat(op->getOperand(0)))
    return 0;
  if (isa<tosa::MatMulOp>(op))
    return 1;
  if (auto conv = dyn_cast<tosa::Conv2DOp>(op))
    return getPaddedPart(conv);
  if (auto conv = dyn_cast<tosa::DepthwiseConv2DOp>(op))
    return getPaddedPart(conv);
  if (auto conv = dyn_cast<tosa::Conv3DOp>(op))
    return getPaddedPart(conv);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isFullProduct(structured))
    return 0;
  return linalg::isaConvolutionOpInterface(structured)
             ? getImagePart(op->getOperand(0).getDefiningOp())
             : 1;
}

/// The operands of a product that it reads as a whole, except images: their
/// windows may leave pixels out.
static SmallVector<Value> getFactors(Operation *op) {
  if (isa<tosa::MatMulOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  SmallVector<Value> factors;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return {op->getOperand(1)};
  for (OpOperand *input : structured.getDpsInputOperands())
    if (structured.getMatchingIndexingMap(input).isProjectedPermutation())
      factors.push_back(input->get());
  return factors;
}

/// Whether it exists in memory before a run; a constant that repeats one value
/// need not.
static bool isWeight(Value value) {
  // Arguments of other blocks and of functions that only the model calls are
  // computed during the run.
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    return isa_and_nonnull<FunctionOpInterface>(parent) &&
           argument.getOwner()->isEntryBlock() &&
           SymbolTable::getSymbolVisibility(parent) ==
               SymbolTable::Visibility::Public;
  }
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  return !elements || !elements.isSplat();
}

uint64_t optimize::getWeightBytes(Operation *op, llvm::DenseSet<Value> &seen) {
  uint64_t bytes = 0;
  for (Value factor : getFactors(op)) {
    auto type = dyn_cast<ShapedType>(factor.getType());
    if (!type || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat() || !isWeight(factor) ||
        !seen.insert(factor).second)
      continue;
    bytes +=
        uint64_t(type.getNumElements()) * (type.getElementTypeBitWidth() / 8);
  }
  return bytes;
}

/// A file of /sys, trimmed; "" if it does not exist.
static std::string readText(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : std::string();
}

std::optional<uint64_t> optimize::getLastCacheBytes() {
  constexpr unsigned kMostProcessors = 4096, kMostCaches = 8;
  // The caches of each level, by the processors that share them.
  std::map<uint64_t, std::map<std::string, uint64_t>> levels;
  for (unsigned processor = 0; processor < kMostProcessors; ++processor) {
    bool isThere = false;
    for (unsigned index = 0; index < kMostCaches; ++index) {
      std::string folder =
          ("/sys/devices/system/cpu/cpu" + llvm::Twine(processor) +
           "/cache/index" + llvm::Twine(index) + "/")
              .str();
      uint64_t level = 0, size = 0;
      std::string text = readText(folder + "size");
      StringRef number = text;
      uint64_t unit = number.consume_back("K")   ? 1 << 10
                      : number.consume_back("M") ? 1 << 20
                                                 : 1;
      if (StringRef(readText(folder + "level")).getAsInteger(10, level) ||
          number.getAsInteger(10, size))
        continue;
      isThere = true;
      levels[level][readText(folder + "shared_cpu_list")] = size * unit;
    }
    if (!isThere)
      break;
  }
  if (levels.empty())
    return std::nullopt;
  uint64_t bytes = 0;
  for (const auto &[processors, size] : levels.rbegin()->second)
    bytes += size;
  return bytes;
}
