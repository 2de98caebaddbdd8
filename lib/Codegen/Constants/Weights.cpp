//===- Weights.cpp - Constant tensors seen through transposes -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "CopyBox.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

static ArrayRef<char> getBytes(Attribute value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && !dense.isSplat() ? dense.getRawData() : ArrayRef<char>();
}

bool codegen::isZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

std::optional<Weights> codegen::findWeights(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return std::nullopt;
  // Maps each dimension of the value to the dimension of its source.
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq(0u, unsigned(type.getRank())));
  auto transpose = value.getDefiningOp<LinalgOp>();
  for (; transpose; transpose = value.getDefiningOp<LinalgOp>()) {
    if (transpose.getNumDpsInputs() != 1 || transpose.getNumDpsInits() != 1 ||
        !transpose.hasPureTensorSemantics())
      return std::nullopt;
    auto yielded = dyn_cast<BlockArgument>(
        transpose.getBlock()->getTerminator()->getOperand(0));
    AffineMap read = transpose.getIndexingMapsArray()[0];
    AffineMap stored = transpose.getIndexingMapsArray()[1];
    if (!yielded || yielded.getArgNumber() != 0 || !read.isPermutation() ||
        !stored.isPermutation())
      return std::nullopt;
    AffineMap toInput = inversePermutation(read);
    for (unsigned &dim : dims)
      dim = toInput.getDimPosition(stored.getDimPosition(dim));
    value = transpose.getDpsInputs()[0];
  }
  Attribute attribute;
  type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() ||
      !matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  Weights weights;
  weights.bytes = getBytes(attribute);
  weights.constant = value.getDefiningOp();
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (unsigned dim : dims)
    weights.strides.push_back(strides[dim]);
  Type element = type.getElementType();
  // (Elements that are not whole bytes do not have facts, see getNestFacts.)
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      weights.bytes.size() !=
          size_t(type.getNumElements()) * (element.getIntOrFloatBitWidth() / 8))
    return std::nullopt;
  return weights;
}

static size_t getConstantBytes(RankedTensorType type) {
  return size_t(type.getNumElements()) * (type.getElementTypeBitWidth() / 8);
}

DenseResourceElementsAttr
codegen::makeConstant(RankedTensorType type, StringRef name,
                      llvm::function_ref<void(char *)> store) {
  awaitValues(type.getContext());
  AsmResourceBlob blob = allocateConstant(getConstantBytes(type));
  store(blob.getMutableData().data());
  auto constant = DenseResourceElementsAttr::get(type, name, std::move(blob));
  if (ConstantScope *scope = ConstantScope::find(type.getContext()))
    scope->add(constant);
  return constant;
}

DenseResourceElementsAttr
codegen::makeConstantLater(RankedTensorType type, StringRef name,
                           std::function<void(char *)> store) {
  ConstantScope *scope = ConstantScope::find(type.getContext());
  if (!scope)
    return makeConstant(type, name, store);
  AsmResourceBlob blob = allocateConstant(getConstantBytes(type));
  char *target = blob.getMutableData().data();
  auto constant = DenseResourceElementsAttr::get(type, name, std::move(blob));
  scope->add(constant);
  scope->fillLater([store = std::move(store), target] {
    PROF_SCOPE("store constant");
    store(target);
  });
  return constant;
}

DenseResourceElementsAttr codegen::makeConstant(ConstantRecipe recipe) {
  auto kept = std::make_shared<const ConstantRecipe>(std::move(recipe));
  SmallVector<ArrayRef<char>> sources;
  for (DenseResourceElementsAttr source : kept->sources)
    sources.push_back(getBytes(source));
  DenseResourceElementsAttr constant =
      makeConstantLater(kept->type, kept->name, [kept, sources](char *target) {
        kept->store(sources, target);
      });
  if (ConstantScope *scope = ConstantScope::find(kept->type.getContext()))
    scope->addRecipe(constant, kept);
  return constant;
}

DenseResourceElementsAttr codegen::getResource(Value constant) {
  Attribute value;
  (void)matchPattern(constant, m_Constant(&value));
  return dyn_cast_or_null<DenseResourceElementsAttr>(value);
}

void codegen::noteRead(Value constant) {
  ConstantScope *scope = ConstantScope::find(constant.getContext());
  DenseResourceElementsAttr resource = getResource(constant);
  if (scope && resource)
    scope->noteRead(resource.getRawHandle().getResource());
}

void codegen::awaitValues(MLIRContext *context) {
  if (ConstantScope *scope = ConstantScope::find(context))
    scope->awaitValues();
}

/// In one block, users come after what they use. Branches pass values on, so
/// that their blocks need an analysis, which takes ten times as long.
static void eraseDeadOps(RewriterBase &rewriter, Region &region) {
  if (region.empty())
    return;
  if (!region.hasOneBlock())
    return (void)runRegionDCE(rewriter, region);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(region.front()))) {
    if (isOpTriviallyDead(&op)) {
      rewriter.eraseOp(&op);
      continue;
    }
    for (Region &inner : op.getRegions())
      eraseDeadOps(rewriter, inner);
  }
}

void codegen::eraseDeadOps(RewriterBase &rewriter, ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    ::eraseDeadOps(rewriter, function.getBody());
}

void codegen::forEachIndex(ArrayRef<int64_t> sizes,
                           llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(sizes, 0))
    return;
  SmallVector<int64_t> index(sizes.size(), 0);
  for (;;) {
    visit(index);
    size_t dim = index.size();
    while (dim > 0 && ++index[dim - 1] == sizes[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

DenseResourceElementsAttr codegen::copyWeights(const Weights &weights,
                                               RankedTensorType type,
                                               AffineMap map) {
  ArrayRef<int64_t> sizes = type.getShape();
  SmallVector<int64_t> point(sizes.size(), 0), steps;
  auto getOffset = [&]() {
    int64_t offset = 0;
    for (auto [place, stride] :
         llvm::zip_equal(map.compose(point), weights.strides))
      offset += place * stride;
    return offset;
  };
  // The position is linear in the loops: a start and a step for each.
  int64_t start = getOffset();
  for (auto [at, size] : llvm::zip_equal(point, sizes)) {
    at = size > 1;
    steps.push_back(getOffset() - start);
    at = 0;
  }
  auto store = [type, start, steps](ArrayRef<char> source, char *target) {
    unsigned bytes = type.getElementTypeBitWidth() / 8;
    copyBox(source.data() + start * bytes, type.getShape(), steps,
            computeStrides(type.getShape()), bytes, target);
  };
  if (DenseResourceElementsAttr source =
          getResource(weights.constant->getResult(0)))
    return makeConstant(
        {type, "copied", {source}, [store](auto sources, char *target) {
           store(sources.front(), target);
         }});
  // The context owns values that are not a resource.
  return makeConstant(
      {type, "copied", {}, [store, bytes = weights.bytes](auto, char *target) {
         store(bytes, target);
       }});
}
