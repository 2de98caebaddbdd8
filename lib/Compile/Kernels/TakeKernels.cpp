//===- TakeKernels.cpp - The kernels of a model ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TakeKernels.h"
#include "../Cache/CompilerIdentity.h"
#include "../StageRunner.h"
#include "KernelGoals.h"
#include "KernelProbes.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Removes what does not determine the code: locations, and the names of the
/// function and of its origins.
static uint64_t makeCanonical(Operation *root) {
  Location unknown = UnknownLoc::get(root->getContext());
  uint64_t operations = 0;
  root->walk([&](Operation *op) {
    ++operations;
    op->setLoc(unknown);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(unknown);
  });
  return operations;
}

/// The first different locations of the ops of `kernel`, for people.
static std::string describePlaces(func::FuncOp kernel) {
  constexpr size_t kShown = 3;
  llvm::SmallSetVector<Location, 4> places;
  prof::removeIdentities(kernel.getLoc())->walk([&](Location location) {
    if (!isa<FusedLoc, UnknownLoc>(location))
      places.insert(location);
    if (places.size() > kShown)
      return WalkResult::interrupt();
    // A call site or a name is one place.
    return isa<FusedLoc>(location) ? WalkResult::advance() : WalkResult::skip();
  });
  std::string text;
  for (auto [index, place] : llvm::enumerate(places))
    text += index == kShown ? ", ..."
                            : (index ? ", " : "") + describeLocation(place);
  return text;
}

/// "conv3x3_relu" of "conv3x3_relu_12": numbers differ between models that
/// have the same kernel.
static StringRef dropNumber(StringRef name) {
  StringRef letters = name.rtrim("0123456789");
  return letters.size() != name.size() && letters.size() > 1 &&
                 letters.ends_with("_")
             ? letters.drop_back()
             : name;
}

/// A module with a copy of `kernel` as its only, public function.
static OwningOpRef<ModuleOp> copyKernel(func::FuncOp kernel) {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(kernel.getContext()));
  func::FuncOp copy = kernel.clone();
  // Another name than that of any function that the kernel calls.
  copy.setSymName((dropNumber(kernel.getSymName()) + "_kernel").str());
  copy.setPublic();
  copy->removeDiscardableAttr(dispatch::DispatchDialect::getKernelAttrName());
  // Buffers of inputs are not written to in any case.
  copy.removeArgAttrsAttr();
  module->push_back(copy);
  return module;
}

/// The kernel in `module`, which it changes; `options` are described.
static llvm::Expected<KernelSource> makeSource(StringRef name, ModuleOp module,
                                               StringRef options) {
  KernelSource source;
  source.name = name.str();
  source.operations = makeCanonical(module);
  llvm::raw_string_ostream os(source.bytecode);
  if (failed(writeBytecodeToFile(module, os)))
    return inputError("kernel '" + source.name + "'", "it cannot be stored");
  StringRef base = dropNumber(source.name);
  source.hash =
      contentHash((base + "|" + options + "|" + source.bytecode).str());
  source.symbol = (base + "_" + StringRef(source.hash).take_front(12)).str();
  return std::move(source);
}

llvm::Expected<KernelSource>
compile::makeKernelSource(StringRef name, ModuleOp module,
                          const CompileOptions &options) {
  return makeSource(name, module, describeOptions(options));
}

/// The options of the probes, as far as they determine the code, and whether
/// the code of a target without a heap is read.
static std::string describeProbes(const CompileOptions &options) {
  bool isRead = !options.target.hasHeap && !hasSections(options);
  return "|" + options.instrument.value_or("") + "|" + options.lowerProbes +
         "|" + std::to_string(options.recordValues) + (isRead ? "|read" : "");
}

static llvm::Expected<TakenKernel>
takeKernel(func::FuncOp kernel, std::string options, StringRef probes) {
  TakenKernel taken;
  options += probes;
  auto identities = prof::getIdentities(kernel.getLoc());
  if (!identities.owners.empty())
    taken.node = identities.owners.front();
  auto source = makeSource(kernel.getSymName(), *copyKernel(kernel), options);
  if (!source)
    return source.takeError();
  taken.source = std::move(*source);
  taken.source.place = describePlaces(kernel);
  taken.source.hasProbes = !probes.empty();
  return std::move(taken);
}

llvm::Expected<std::vector<TakenKernel>>
compile::takeKernels(ModuleOp module, const CompileOptions &options,
                     bool mayHaveProbes) {
  PROF_SCOPE("take kernels");
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (dispatch::isKernel(function) && !function.isExternal())
      functions.push_back(function);
  auto goals = chooseGoals(functions, users, options.target.goal);
  CompileOptions own = options;
  std::vector<TakenKernel> kernels;
  for (func::FuncOp function : functions) {
    bool hasProbes = mayHaveProbes && needsProbes(function, options);
    own.target.goal = goals.lookup(function);
    auto taken = takeKernel(function, describeOptions(own),
                            hasProbes ? describeProbes(options) : "");
    if (!taken)
      return taken.takeError();
    taken->source.goal = own.target.goal;
    users.replaceAllUsesWith(
        function, StringAttr::get(module.getContext(), taken->source.symbol));
    function.setSymName(taken->source.symbol);
    function.eraseBody();
    function.removeArgAttrsAttr();
    kernels.push_back(std::move(*taken));
  }
  return std::move(kernels);
}
