//===- MemoryPlan.cpp - The memory of a compiled model --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPlan.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Module/LocationTable.h"
#include "mlir-prof/Module/StoredLevel.h"
#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using mlirprof::trace::kNone;

/// The bytes of a buffer; none if only a call tells its size.
static std::optional<uint64_t> getBytes(MemRefType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape())
    return std::nullopt;
  uint64_t bits = 0;
  if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  else if (isa<IndexType>(element))
    bits = IndexType::kInternalStorageBitWidth;
  else
    return std::nullopt;
  return uint64_t(type.getNumElements()) * ((bits + 7) / 8);
}

/// The buffer of which `value` is a view.
static Value getBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

namespace {
class Planner {
public:
  explicit Planner(JobRecord &job) : job(job) {}

  /// Returns the reason why there is no plan, or "".
  std::string plan(ModuleOp module, func::FuncOp entry);

private:
  uint32_t addName(const Twine &name);
  std::string describe(Operation &op);
  bool addBuffer(memref::AllocOp alloc, uint32_t first);
  void addNode(Operation &op);
  void endBuffers(func::FuncOp entry);

  JobRecord &job;
  MemoryPlan result;
  module::LocationTable locations;
  llvm::StringMap<uint32_t> names;
  /// By the buffer: its place among the tensors, until it is freed.
  llvm::DenseMap<Value, size_t> live;
  bool hasUnknownSize = false;
};
} // namespace

uint32_t Planner::addName(const Twine &name) {
  auto [it, isNew] = names.try_emplace(name.str(), uint32_t(job.names.size()));
  if (isNew)
    job.names.push_back(name.str());
  return it->second;
}

/// The op of the model that an op of the plan comes from, or else its own name.
std::string Planner::describe(Operation &op) {
  uint32_t number = locations.add(op.getLoc());
  std::string place;
  for (uint32_t name : locations.get(number).names)
    place += (place.empty() ? "" : "; ") + locations.getName(name).str();
  return place.empty() ? op.getName().getStringRef().str() : place;
}

/// A buffer lives from the next op that does anything.
bool Planner::addBuffer(memref::AllocOp alloc, uint32_t first) {
  std::optional<uint64_t> bytes = getBytes(alloc.getType());
  if (!bytes) {
    hasUnknownSize = true;
    return false;
  }
  std::string type;
  llvm::raw_string_ostream os(type);
  alloc.getType().print(os);
  uint64_t id = result.tensors.size();
  result.tensors.push_back({id, *bytes, addName(type), first, first, kNone});
  return true;
}

/// An op that executes; buffers in its regions live while it does.
void Planner::addNode(Operation &op) {
  auto place = uint32_t(result.nodes.size());
  result.nodes.push_back(addName(describe(op)));
  op.walk([&](memref::AllocOp alloc) { addBuffer(alloc, place); });
}

/// Buffers that are left at the end belong to the caller, or are never freed.
void Planner::endBuffers(func::FuncOp entry) {
  llvm::DenseSet<Value> returned;
  for (Value value : entry.front().getTerminator()->getOperands())
    returned.insert(getBuffer(value));
  for (auto [buffer, place] : live) {
    TensorLife &tensor = result.tensors[place];
    tensor.lastNode = uint32_t(result.nodes.size() - 1);
    tensor.reason = addName(returned.contains(buffer) ? "result" : "not freed");
  }
}

std::string Planner::plan(ModuleOp module, func::FuncOp entry) {
  if (!entry.getBody().hasOneBlock())
    return "the function '" + entry.getSymName().str() + "' has branches";
  for (Operation &op : entry.front().without_terminator()) {
    auto next = uint32_t(result.nodes.size());
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (addBuffer(alloc, next))
        live[alloc] = result.tensors.size() - 1;
    } else if (auto free = dyn_cast<memref::DeallocOp>(op)) {
      auto it = live.find(getBuffer(free.getMemref()));
      if (it == live.end())
        continue;
      TensorLife &tensor = result.tensors[it->second];
      tensor.lastNode = std::max(tensor.firstNode, next == 0 ? 0 : next - 1);
      live.erase(it);
    } else if (!isPure(&op)) {
      addNode(op);
    }
  }
  if (hasUnknownSize)
    return "sizes of buffers depend on the arguments";
  if (result.nodes.empty())
    return "the function '" + entry.getSymName().str() + "' is empty";
  endBuffers(entry);
  module.walk([&](memref::GlobalOp global) {
    result.staticBytes += getBytes(global.getType()).value_or(0);
  });
  job.memory.push_back(std::move(result));
  return "";
}

std::string mlirprof::addMemoryPlan(Profile &profile, llvm::StringRef entry) {
  constexpr llvm::StringLiteral kLevel = "bufferized";
  const IrModule *stored =
      profile.findIrModule(kLevel, profile.programs.back().fingerprint);
  if (!stored)
    return "the program lacks the level '" + kLevel.str() + "'";
  std::unique_ptr<MLIRContext> context = module::makeModuleContext();
  // The level is of the model that has just run, and as good as its code.
  OwningOpRef<ModuleOp> module;
  if (stored->fingerprint == contentHash(stored->bytecode))
    module = module::readOwnLevel(*stored, *context);
  if (!module)
    return "the level '" + kLevel.str() + "' cannot be read back";
  auto function = compile::findEntry(*module, entry);
  if (!function)
    return llvm::toString(function.takeError());
  auto job = std::make_shared<JobRecord>();
  std::string reason = Planner(*job).plan(*module, *function);
  if (reason.empty())
    profile.runs.back().job = std::move(job);
  return reason;
}
