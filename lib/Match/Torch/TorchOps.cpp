//===- TorchOps.cpp - PyTorch's ops in a module ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchOps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Cost/TensorShape.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string match::getTorchName(mlir::Operation *op) {
  StringRef name = op->getName().getStringRef();
  std::string held;
  if (name == "torch.operator")
    if (auto custom = op->getAttrOfType<mlir::StringAttr>("name"))
      name = custom.getValue();
  if (!name.consume_front("torch."))
    return "";
  auto [space, rest] = name.split('.');
  // Constants, containers and the like do not run anything.
  if (rest.empty() || space == "constant" || space == "prim" ||
      space == "vtensor" || space == "tensor")
    return "";
  return (space + "::" + rest.split('.').first).str();
}

StringRef match::getPlainName(StringRef name) {
  size_t space = name.rfind("::");
  if (space != StringRef::npos)
    name = name.drop_front(space + 2);
  if (!name.ends_with("__"))
    name.consume_back("_");
  name = name.ltrim('_');
  name.consume_front("native_");
  for (StringRef variant :
       {"_with_indices", "_legit_no_training", "_legit_functional", "_legit"})
    name.consume_back(variant);
  return name.starts_with("scaled_dot_product") ? "scaled_dot_product_attention"
                                                : name;
}

bool match::mayBecome(StringRef exported, StringRef recorded) {
  exported = getPlainName(exported);
  recorded = getPlainName(recorded);
  if (exported == recorded)
    return true;
  struct Row {
    StringRef recorded;
    llvm::SmallVector<StringRef, 4> exported;
  };
  static const Row rows[] = {
      {"addmm", {"linear"}},
      {"mm", {"linear", "matmul"}},
      {"bmm", {"matmul", "einsum"}},
      {"baddbmm", {"matmul"}},
      {"linear_pointwise", {"linear"}},
      {"packed_linear", {"linear"}},
      {"convolution", {"conv1d", "conv2d", "conv3d", "conv_transpose2d"}},
      {"convolution_pointwise", {"conv1d", "conv2d", "conv3d"}},
      {"clamp_min", {"relu"}},
      {"adaptive_avg_pool2d", {"avg_pool2d"}},
  };
  for (const Row &row : rows)
    if (row.recorded == recorded && llvm::is_contained(row.exported, exported))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Evidence
//===----------------------------------------------------------------------===//

/// Adds the calls in `location`, outermost first.
static void addFrames(mlir::Location location,
                      std::vector<SourceCall> &frames) {
  // Deeper chains do not come from a program.
  constexpr unsigned kMostFrames = 64;
  llvm::SmallVector<mlir::LocationAttr> callers;
  mlir::LocationAttr at = location;
  for (unsigned i = 0; i < kMostFrames; ++i) {
    if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(at)) {
      // The callee may itself be a chain: torch-mlir nests to the right.
      addFrames(call.getCaller(), frames);
      at = call.getCallee();
    } else if (auto name = llvm::dyn_cast<mlir::NameLoc>(at)) {
      at = name.getChildLoc();
    } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(at)) {
      if (fused.getLocations().empty())
        return;
      at = fused.getLocations().front();
    } else {
      break;
    }
  }
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(at))
    frames.push_back(
        {llvm::sys::path::filename(file.getFilename().getValue()).str(),
         file.getLine()});
}

static void addShapes(mlir::Operation *op, ModuleCall &call) {
  for (mlir::Value operand : op->getOperands()) {
    std::vector<int64_t> shape;
    if (getTensorShape(operand.getType(), shape) && !shape.empty())
      call.shapes.push_back(std::move(shape));
  }
}

bool match::mayBeAround(llvm::ArrayRef<SourceCall> recorded,
                        llvm::ArrayRef<SourceCall> module) {
  if (recorded.size() != module.size())
    return false;
  for (auto [a, b] : llvm::zip_equal(recorded, module))
    if (a.file != b.file || a.line > b.line)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::vector<ModuleCall> match::findTorchCalls(const ModuleIndex &index) {
  std::vector<ModuleCall> calls;
  for (uint32_t i = 0; i < index.size(); ++i) {
    std::string name = getTorchName(index[i].op);
    if (name.empty())
      continue;
    ModuleCall call;
    call.name = std::move(name);
    call.ops = {i};
    addShapes(index[i].op, call);
    addFrames(index[i].op->getLoc(), call.frames);
    calls.push_back(std::move(call));
  }
  return calls;
}

/// Whether `op` is part of the lowered form of a call in other dialects, in
/// which reshapes remain from calls that view memory differently.
static bool isLoweredWork(mlir::Operation *op) {
  if (op->hasTrait<mlir::OpTrait::IsTerminator>() ||
      getKind(op) == OpKind::Control)
    return false;
  return doesWork(op) || isKind("reshape", op);
}

namespace {

/// Groups neighboring ops of one location.
class Runs {
public:
  explicit Runs(const ModuleIndex &index) : index(index) {}

  /// The run of `op`, which follows all ops added before; null for an op in the
  /// body of another one, of which it is a part.
  ModuleCall *add(uint32_t op) {
    if (op < until)
      return nullptr;
    until = index[op].end;
    if (runs.empty() || index[op].location != location ||
        index[op].function != function) {
      runs.emplace_back();
      addFrames(index[op].op->getLoc(), runs.back().frames);
      location = index[op].location;
      function = index[op].function;
    }
    runs.back().ops.push_back(op);
    return &runs.back();
  }
  std::vector<ModuleCall> take() { return std::move(runs); }

private:
  const ModuleIndex &index;
  uint32_t location = kNone, function = kNone;
  uint32_t until = 0;
  std::vector<ModuleCall> runs;
};

} // namespace

std::vector<ModuleCall>
match::findLoweredCalls(const ModuleIndex &index,
                        llvm::ArrayRef<ModuleCall> torchCalls) {
  Runs runs(index);
  for (const ModuleCall &call : torchCalls)
    if (ModuleCall *run = runs.add(call.ops.front()))
      llvm::append_range(run->shapes, call.shapes);
  if (!torchCalls.empty())
    return runs.take();
  for (uint32_t i = 1; i < index.size(); ++i)
    if (!index.getTraits(i).isFunction && isLoweredWork(index[i].op))
      if (ModuleCall *run = runs.add(i))
        addShapes(index[i].op, *run);
  return runs.take();
}
