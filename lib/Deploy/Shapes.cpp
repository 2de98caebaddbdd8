//===- Shapes.cpp - Sizes that calls choose -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A package has code for each size that a call may choose: memory is planned
// for each, and a call is as fast as that of a model without such sizes.
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "Plan.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static bool isDynamic(const compile::ValueSignature &value) {
  return is_contained(value.shape, mlir::ShapedType::kDynamic);
}

/// The argument that `shape` is for, of those that `isUsed` does not have.
static Expected<size_t> findArgument(const compile::Signature &signature,
                                     const ArgumentShape &shape,
                                     ArrayRef<bool> isUsed) {
  size_t position = 0;
  bool isNumber = !StringRef(shape.name).getAsInteger(10, position);
  for (auto [index, value] : enumerate(signature.arguments)) {
    bool isMeant = shape.name.empty() ? isDynamic(value) && !isUsed[index]
                   : isNumber         ? index == position
                                      : value.name == shape.name;
    if (isMeant)
      return index;
  }
  return usageError("'--shape=" + shape.name +
                    "' is for an argument that the model does not have");
}

/// The number of the size with `range`, which may be new.
static size_t findSize(const SizeRange &range, std::vector<SizeRange> &sizes) {
  auto same = find_if(sizes, [&](const SizeRange &other) {
    return other.least == range.least && other.most == range.most;
  });
  if (same == sizes.end())
    same = sizes.insert(same, range);
  return size_t(same - sizes.begin());
}

static Error setSizes(const compile::ValueSignature &value,
                      const ArgumentShape &shape,
                      std::vector<PlannedSize> &planned, ShapePlan &plan) {
  auto fail = [&](const Twine &what) {
    return usageError("'--shape' of '" + value.name + "' " + what);
  };
  if (shape.sizes.size() != value.shape.size())
    return fail("has " + Twine(shape.sizes.size()) +
                " sizes; the argument has " + Twine(value.shape.size()));
  for (auto [size, known, range] : zip(planned, value.shape, shape.sizes)) {
    bool isRange = range.least != range.most;
    if (known != mlir::ShapedType::kDynamic) {
      if (isRange || range.least != known)
        return fail("chooses a size of the model, which is " + Twine(known));
      continue;
    }
    size.size = range.most;
    if (isRange)
      size.number = findSize(range, plan.sizes);
  }
  return Error::success();
}

/// The sizes that nobody chose.
static Error setDefaults(const compile::ValueSignature &value,
                         std::vector<PlannedSize> &planned,
                         function_ref<void(StringRef)> onNote) {
  for (size_t dim = 1; dim < value.shape.size(); ++dim)
    if (value.shape[dim] == mlir::ShapedType::kDynamic)
      return inputError("'" + value.name + "'",
                        "has a dimension of unknown size, for which memory "
                        "cannot be planned",
                        "State sizes or ranges: --shape=" + value.name +
                            "=1..8x49.");
  planned.front().size = 1;
  if (onNote)
    onNote("'" + value.name +
           "' has a batch of 1; --shape chooses another one, or a range");
  return Error::success();
}

Expected<ShapePlan> deploy::planShapes(const compile::Signature &signature,
                                       ArrayRef<ArgumentShape> shapes,
                                       function_ref<void(StringRef)> onNote) {
  ShapePlan plan;
  for (const compile::ValueSignature &value : signature.arguments) {
    std::vector<PlannedSize> &sizes = plan.arguments.emplace_back();
    for (int64_t size : value.shape)
      sizes.push_back({size, std::nullopt});
  }
  SmallVector<bool> isUsed(signature.arguments.size());
  for (const ArgumentShape &shape : shapes) {
    auto index = findArgument(signature, shape, isUsed);
    if (!index)
      return index.takeError();
    isUsed[*index] = true;
    if (Error error = setSizes(signature.arguments[*index], shape,
                               plan.arguments[*index], plan))
      return std::move(error);
  }
  for (auto [value, sizes, used] :
       zip_equal(signature.arguments, plan.arguments, isUsed))
    if (!used && isDynamic(value))
      if (Error error = setDefaults(value, sizes, onNote))
        return std::move(error);
  return std::move(plan);
}

Expected<std::vector<std::vector<int64_t>>>
deploy::listSizes(ArrayRef<SizeRange> ranges) {
  constexpr size_t most = 64;
  std::vector<std::vector<int64_t>> all(1);
  for (const SizeRange &range : ranges) {
    if (uint64_t(range.most - range.least) >= most / all.size())
      return usageError("--shape has more than " + Twine(most) +
                        " choices of sizes, each of which has code of its own");
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t> &sizes : all)
      for (int64_t size = range.least; size <= range.most; ++size) {
        longer.push_back(sizes);
        longer.back().push_back(size);
      }
    all = std::move(longer);
  }
  return std::move(all);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Gives `argument` the type `type`. Ops that do not infer their types get the
/// old one.
static void setType(mlir::BlockArgument argument, mlir::RankedTensorType type) {
  mlir::Type before = argument.getType();
  auto builder = mlir::OpBuilder::atBlockBegin(argument.getOwner());
  auto cast = mlir::tensor::CastOp::create(builder, argument.getLoc(), before,
                                           argument);
  argument.setType(type);
  argument.replaceUsesWithIf(cast, [&](mlir::OpOperand &use) {
    return use.getOwner() != cast &&
           !isa<mlir::tosa::TosaDialect>(use.getOwner()->getDialect());
  });
}

/// The results become those whose sizes passes have found.
static Error setResults(mlir::func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return inputError("the model", "has branches without structure, so that "
                                   "sizes of its results are not known");
  mlir::Operation *end = function.getBody().front().getTerminator();
  SmallVector<mlir::Type> types;
  for (mlir::OpOperand &operand : end->getOpOperands()) {
    if (auto cast = operand.get().getDefiningOp<mlir::tensor::CastOp>())
      if (cast.getSource().getType().hasStaticShape())
        operand.set(cast.getSource());
    auto type = dyn_cast<mlir::RankedTensorType>(operand.get().getType());
    if (type && !type.hasStaticShape())
      return inputError("result " + Twine(operand.getOperandNumber()),
                        "has a size that does not follow from those of the "
                        "arguments",
                        "Export the model with sizes that are known.");
    types.push_back(operand.get().getType());
  }
  function.setType(mlir::FunctionType::get(
      function.getContext(), function.getBody().front().getArgumentTypes(),
      types));
  return Error::success();
}

/// Lets ops infer the sizes of their results.
static Error inferShapes(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  mlir::OpPassManager &functions = manager.nest<mlir::func::FuncOp>();
  functions.addPass(mlir::tosa::createTosaInferShapesPass());
  // Ops of linalg have the sizes of their operands, those of arith do not.
  functions.addPass(mlir::createConvertElementwiseToLinalgPass());
  functions.addPass(mlir::createCanonicalizerPass());
  functions.addPass(mlir::createCSEPass());
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            problem.empty())
          problem = diagnostic.str();
        return mlir::success();
      });
  return succeeded(manager.run(module))
             ? Error::success()
             : inputError("the model",
                          "does not have the sizes of --shape: " + problem);
}

Error deploy::setShapes(mlir::ModuleOp module, StringRef entry,
                        const ShapePlan &plan, ArrayRef<int64_t> sizes) {
  auto function = compile::findEntry(module, entry);
  if (!function)
    return function.takeError();
  module.getContext()->loadDialect<mlir::tensor::TensorDialect>();
  bool isChanged = false;
  for (auto [argument, planned] :
       zip_equal(function->getArguments(), plan.arguments)) {
    auto type = dyn_cast<mlir::RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    SmallVector<int64_t> shape;
    for (const PlannedSize &size : planned)
      shape.push_back(size.number ? sizes[*size.number] : size.size);
    setType(argument, type.clone(shape));
    isChanged = true;
  }
  if (!isChanged)
    return Error::success();
  function->setType(mlir::FunctionType::get(
      function->getContext(), function->getBody().front().getArgumentTypes(),
      function->getResultTypes()));
  if (Error error = inferShapes(module))
    return error;
  return setResults(*function);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Error deploy::addSizeChoice(DeployedModel &model) {
  std::string text, cases, calls;
  raw_string_ostream os(text);
  constexpr StringLiteral types =
      "ptr %bindings, ptr null, i32 0, i32 0, i32 0";
  for (auto [index, code] : enumerate(model.sizedCode)) {
    os << formatv("declare hidden void @{0}(ptr, ptr, i32, i32, i32)\n",
                  code.symbol);
    cases += formatv("    i64 {0}, label %choice{0}\n", index);
    calls += formatv("choice{0}:\n  call void @{1}({2})\n  ret void\n", index,
                     code.symbol, types);
  }
  os << formatv("declare void @llvm.trap()\n"
                "define void @{0}(ptr %bindings, ptr %sizes, i32, i32, i32) "
                "nounwind {{\nbegin:\n  %index0 = add i64 0, 0\n",
                model.name);
  for (auto [index, range] : enumerate(model.sizes))
    os << formatv("  %place{0} = getelementptr i64, ptr %sizes, i32 {0}\n"
                  "  %size{0} = load i64, ptr %place{0}\n"
                  "  %above{0} = sub i64 %size{0}, {1}\n"
                  "  %before{0} = mul i64 %index{0}, {2}\n"
                  "  %index{3} = add i64 %before{0}, %above{0}\n",
                  index, range.least, range.most - range.least + 1, index + 1);
  os << formatv("  switch i64 %index{0}, label %wrong [\n{1}  ]\n{2}"
                "wrong:\n  call void @llvm.trap()\n  unreachable\n}\n",
                model.sizes.size(), cases, calls);
  return addAssembly("sizes", text, model);
}
