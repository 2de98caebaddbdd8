//===- OnnxOps.cpp - Ops imported from ONNX -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/OnnxOps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Cost/TensorShape.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::cost;
using llvm::StringRef;

StringRef cost::getOnnxType(mlir::Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "torch.operator") {
    auto text = op->getAttrOfType<mlir::StringAttr>("name");
    name = text ? text.getValue() : StringRef();
  }
  return name.consume_front("onnx.") ? name : StringRef();
}

static OpKind getOnnxKind(StringRef type) {
  if (type.starts_with("Reduce") || type.ends_with("Pool") ||
      type.ends_with("LayerNormalization"))
    return OpKind::Reduction;
  return llvm::StringSwitch<OpKind>(type)
      .Cases({"Constant", "ConstantOfShape", "Flatten", "Identity", "Reshape",
              "Shape", "Size", "Squeeze", "Unsqueeze"},
             OpKind::Free)
      .Cases({"If", "Loop", "Scan"}, OpKind::Control)
      .Cases({"MatMul", "Gemm", "FusedMatMul", "FusedGemm", "MatMulInteger",
              "QLinearMatMul", "Einsum"},
             OpKind::Contraction)
      .Cases(
          {"Conv", "ConvInteger", "ConvTranspose", "FusedConv", "QLinearConv"},
          OpKind::Convolution)
      .Cases({"ArgMax", "ArgMin", "CumSum", "GroupNormalization",
              "InstanceNormalization", "TopK"},
             OpKind::Reduction)
      .Cases({"Celu", "Cos", "Elu", "Erf", "Exp", "FastGelu", "Gelu", "Log",
              "LogSoftmax", "Mish", "Pow", "Selu", "Sigmoid", "Sin", "Softmax",
              "Softplus", "Tan", "Tanh"},
             OpKind::Transcendental)
      .Cases({"Concat", "DepthToSpace", "Gather", "GatherElements", "GatherND",
              "Pad", "Resize", "ScatterElements", "ScatterND", "Slice",
              "SpaceToDepth", "Split", "Tile", "Transpose"},
             OpKind::Movement)
      .Case("Expand", OpKind::Broadcast)
      .Default(OpKind::Elementwise);
}

namespace {

struct Tensor {
  std::vector<int64_t> shape;
  uint64_t elements = 1;

  explicit Tensor(mlir::Type type) {
    getTensorShape(type, shape);
    for (int64_t &size : shape) {
      size = size < 0 ? cost::kDynamicSize : size;
      elements = llvm::SaturatingMultiply(elements, uint64_t(size));
    }
  }
};

} // namespace

/// Length of the sums of a product: for matrices it follows from the numbers of
/// elements, whichever matrix is transposed.
static uint64_t getSumLength(StringRef type, const Tensor &lhs,
                             const Tensor &rhs, const Tensor &out) {
  if (!type.contains("Gemm"))
    return lhs.shape.empty() ? 1 : uint64_t(lhs.shape.back());
  double square = double(lhs.elements) * double(rhs.elements) /
                  std::max(1.0, double(out.elements));
  return square < double(cost::kMax) ? uint64_t(std::llround(std::sqrt(square)))
                                     : 1;
}

std::optional<uint64_t> cost::getOnnxCost(mlir::Operation *op) {
  StringRef type = getOnnxType(op);
  if (type.empty())
    return std::nullopt;
  OpKind kind = getOnnxKind(type);
  if (kind == OpKind::Free)
    return 0;
  if (kind == OpKind::Control)
    return 1;
  uint64_t in = 0, out = 0;
  std::vector<Tensor> operands;
  for (mlir::Type operand : op->getOperandTypes()) {
    operands.emplace_back(operand);
    in = std::max(in, operands.back().elements);
  }
  for (mlir::Type result : op->getResultTypes())
    out = std::max(out, Tensor(result).elements);
  auto times = [](uint64_t a, uint64_t b) {
    return llvm::SaturatingMultiply(a, b);
  };
  bool hasTwo = operands.size() >= 2 && op->getNumResults() != 0;
  if (kind == OpKind::Contraction && hasTwo)
    return times(2 * std::min(out, cost::kMax),
                 getSumLength(type, operands[0], operands[1],
                              Tensor(op->getResult(0).getType())));
  if (kind == OpKind::Convolution && hasTwo) {
    // The first dimension of filters is the result's channels (transposed: the
    // input's).
    const Tensor &filter = operands[1];
    uint64_t channels = filter.shape.empty() ? 1 : uint64_t(filter.shape[0]);
    uint64_t positions = type == "ConvTranspose" ? operands[0].elements : out;
    return times(2 * std::min(positions, cost::kMax),
                 filter.elements / std::max<uint64_t>(1, channels));
  }
  switch (kind) {
  case OpKind::Reduction:
    return times(in, cost::kReduced);
  case OpKind::Transcendental:
    return times(std::max(in, out), cost::kTranscendental);
  case OpKind::Movement:
    return times(std::min(std::max<uint64_t>(in, 1), out), cost::kMoved);
  case OpKind::Broadcast:
    return times(out, cost::kBroadcast);
  default:
    return times(std::max(in, out), cost::kElement);
  }
}
