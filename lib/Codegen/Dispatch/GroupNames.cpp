//===- GroupNames.cpp - Names that say what a kernel computes -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/JoinedGroups.h"
#include "../Nest/Plan.h"
#include "Outline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Longer names do not tell more.
static constexpr size_t kMostParts = 4;

/// "3x3" for the loops over the taps of a filter.
static std::string nameTaps(LinalgOp op, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::join(llvm::map_range(loops,
                                    [&](unsigned loop) {
                                      return ShapedType::isDynamic(sizes[loop])
                                                 ? std::string("n")
                                                 : std::to_string(sizes[loop]);
                                    }),
                    "x");
}

static std::string nameConvolution(LinalgOp op) {
  if (std::optional<JoinedGroups> groups = findJoinedGroups(op)) {
    SmallVector<unsigned> taps;
    op.getReductionDims(taps);
    llvm::erase(taps, groups->channelDim);
    return "grouped" + nameTaps(op, taps);
  }
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims))
    return "conv";
  StringRef name = op->getName().stripDialect();
  std::string kind = name.contains("max")       ? "max_pool"
                     : name.contains("min")     ? "min_pool"
                     : name.starts_with("pool") ? "sum_pool"
                     : !dims->depth.empty()     ? "depthwise"
                                                : "conv";
  return kind + nameTaps(op, dims->filterLoop);
}

static StringRef nameContraction(LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims))
    return "matmul";
  if (!dims->batch.empty())
    return "batch_matmul";
  if (!dims->m.empty() && !dims->n.empty())
    return "matmul";
  return dims->m.empty() && dims->n.empty() ? "dot" : "matvec";
}

/// "add" for arith.addf and arith.addi.
static std::string nameScalarOp(Operation *op) {
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op) &&
      (matchPattern(op->getOperand(1), m_AnyZeroFloat()) ||
       matchPattern(op->getOperand(0), m_AnyZeroFloat())))
    return "relu";
  StringRef name = op->getName().stripDialect();
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return name.str();
  return llvm::StringSwitch<std::string>(name)
      .Cases({"maximumf", "maxnumf", "maxsi", "maxui"}, "max")
      .Cases({"minimumf", "minnumf", "minsi", "minui"}, "min")
      .Cases({"divsi", "divui"}, "div")
      .Cases({"cmpf", "cmpi"}, "compare")
      .Cases({"truncf", "extf", "trunci", "extsi", "extui"}, "convert")
      .Cases({"sitofp", "uitofp", "fptosi", "fptoui", "bitcast"}, "convert")
      .Case("index_cast", "index")
      .Default(name.ends_with("f") || name.ends_with("i")
                   ? name.drop_back().str()
                   : name.str());
}

static StringRef nameReduction(LinalgOp op) {
  Operation *combiner = getCombiner(op, 0);
  if (!combiner)
    return "reduce";
  std::string name = nameScalarOp(combiner);
  return llvm::StringSwitch<StringRef>(name)
      .Case("add", "sum")
      .Case("mul", "product")
      .Case("max", "max")
      .Case("relu", "max")
      .Case("min", "min")
      .Default("reduce");
}

/// For an op that moves elements.
static StringRef nameMove(LinalgOp op) {
  if (op.getNumDpsInputs() == 0)
    return "generate";
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (isa<linalg::CopyOp>(op.getOperation()) || map.isIdentity())
    return "copy";
  return map.isPermutation() ? "transpose" : "broadcast";
}

/// Whether an input of `op` is repeated along its leading dimensions only.
static bool addsBias(LinalgOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() != 0 && map.isProjectedPermutation() &&
           map.getNumResults() < op.getNumLoops();
  });
}

static std::string nameElementwise(LinalgOp op) {
  llvm::SmallSetVector<StringRef, 4> functions;
  std::vector<std::string> names;
  bool isIndexed = false;
  op.getBlock()->walk([&](Operation *inner) {
    isIndexed |= isa<tensor::ExtractOp>(inner);
    if (inner->hasTrait<OpTrait::IsTerminator>() ||
        inner->hasTrait<OpTrait::ConstantLike>() || isa<linalg::IndexOp>(inner))
      return;
    if (isa<math::MathDialect>(inner->getDialect()))
      functions.insert(inner->getName().stripDialect());
    std::string name = nameScalarOp(inner);
    if (!llvm::is_contained(names, name))
      names.push_back(name);
  });
  if (isIndexed)
    return "gather";
  if (names.empty())
    return nameMove(op).str();
  if (names.size() == 1 && names.front() == "add" && addsBias(op))
    return "bias";
  if (names.size() <= 2)
    return llvm::join(names, "_");
  if (!functions.empty())
    return llvm::join(functions, "_");
  return "elementwise";
}

/// The part of the kernel's name for `op`; empty if it does not say anything.
static std::string nameOp(Operation *op) {
  if (isa<scf::ForOp>(op))
    return "loop";
  if (isa<tensor::InsertSliceOp>(op))
    return "insert";
  auto structured = dyn_cast<LinalgOp>(op);
  if (!structured || isa<linalg::FillOp>(op))
    return op->getName().stripDialect().str();
  if (structured.getNumReductionLoops() == 0)
    return nameElementwise(structured);
  if (isConvolution(structured))
    return nameConvolution(structured);
  if (linalg::isaContractionOpInterface(structured) || isProduct(structured))
    return nameContraction(structured).str();
  return nameReduction(structured).str();
}

static bool isProductName(StringRef part) {
  return part.contains("matmul") || part.contains("matvec");
}

/// The name of ops that compute one function together, if there is one.
static StringRef nameWhole(ArrayRef<std::string> parts) {
  auto has = [&](StringRef text) {
    return llvm::any_of(parts,
                        [&](StringRef part) { return part.contains(text); });
  };
  if (has("max") && has("exp") && llvm::count_if(parts, isProductName) == 2)
    return "attention";
  if (has("max") && has("exp") && has("sum") && has("div"))
    return "softmax";
  if (has("sum") && has("sqrt"))
    return "norm";
  bool isConcat = parts.size() > 1 && llvm::all_of(parts, [](StringRef part) {
                    return part == "insert";
                  });
  return isConcat ? "concat" : "";
}

std::string codegen::nameGroup(const DispatchGroup &group) {
  std::vector<std::string> parts;
  for (Operation *op : group.ops)
    parts.push_back(nameOp(op));
  if (StringRef whole = nameWhole(parts); !whole.empty())
    return whole.str();
  // A lowered pad.
  for (size_t i = 0; i + 1 < parts.size(); ++i)
    if ((parts[i] == "fill" || parts[i] == "copy") &&
        parts[i + 1] == "insert") {
      parts[i].clear();
      parts[i + 1] = "pad";
    }
  llvm::erase_if(parts, [](StringRef part) { return part.empty(); });
  parts.erase(llvm::unique(parts), parts.end());
  if (parts.size() > kMostParts)
    parts.resize(kMostParts);
  return llvm::join(parts, "_");
}
