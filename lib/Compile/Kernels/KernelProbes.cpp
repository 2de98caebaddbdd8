//===- KernelProbes.cpp - Probes inside of kernels ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelProbes.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

static bool hasDynamicShape(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

static bool hasValues(func::FuncOp kernel) {
  if (llvm::any_of(kernel.getArgumentTypes(), hasDynamicShape))
    return true;
  return kernel
      .walk([](Operation *op) {
        bool branches =
            isa_and_nonnull<scf::SCFDialect, cf::ControlFlowDialect>(
                op->getDialect());
        return branches || llvm::any_of(op->getResultTypes(), hasDynamicShape)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool compile::needsProbes(func::FuncOp kernel, const CompileOptions &options) {
  return options.instrument || (options.recordValues && hasValues(kernel));
}

void compile::passParts(ModuleOp module, ArrayRef<TakenKernel> kernels) {
  llvm::StringSet<> symbols;
  for (const TakenKernel &kernel : kernels)
    if (kernel.source.hasProbes)
      symbols.insert(kernel.source.symbol);
  if (symbols.empty())
    return;
  SymbolTable table(module);
  llvm::DenseSet<Operation *> changed;
  Type word = IntegerType::get(module.getContext(), 64);
  module.walk([&](dispatch::RunOp run) {
    if (!symbols.contains(run.getKernel()))
      return;
    // Before the operand itself changes.
    auto kernel = table.lookup<func::FuncOp>(run.getKernel());
    size_t place = run.getInputs().size();
    OpBuilder builder(run);
    Value part = prof::PartOp::create(builder, run.getLoc(), word,
                                      uint32_t(*run.getInstance()));
    run.getInputsMutable().append(part);
    if (!changed.insert(kernel).second)
      return;
    SmallVector<Type> types(kernel.getArgumentTypes());
    types.insert(types.begin() + place, word);
    kernel.setType(builder.getFunctionType(types, kernel.getResultTypes()));
  });
}

/// Adds the argument at `place`.
static void addPart(func::FuncOp function, unsigned place) {
  Builder builder(function.getContext());
  NamedAttribute mark = builder.getNamedAttr(
      prof::ProfDialect::getPartAttrName(), builder.getUnitAttr());
  (void)function.insertArgument(place, builder.getI64Type(),
                                builder.getDictionaryAttr(mark),
                                function.getLoc());
}

/// The place of the argument in `function`.
static unsigned findPlace(func::FuncOp function, unsigned outputs) {
  unsigned place = function.getNumArguments();
  bool isKernel = function.isPublic() || dispatch::isKernel(function);
  if (!isKernel)
    return place;
  while (place != 0 && function.getArgAttr(place - 1, codegen::kWorkspace))
    --place;
  return place - outputs;
}

void compile::takePart(ModuleOp module, unsigned outputs) {
  llvm::DenseMap<Operation *, Value> partOf;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    unsigned place = findPlace(function, outputs);
    addPart(function, place);
    partOf[function] = function.getArgument(place);
  }
  SymbolTable symbols(module);
  module.walk([&](func::CallOp call) {
    Operation *callee = symbols.lookup(call.getCallee());
    if (partOf.contains(callee))
      call.getOperandsMutable().append(
          partOf.lookup(call->getParentOfType<func::FuncOp>()));
  });
}

static KernelProbes describeProbes(const Program &program) {
  KernelProbes probes;
  for (const ProgramProbe &probe : program.probes)
    probes.parents.push_back(probe.parent);
  for (const ValueSite &site : program.sites)
    probes.tupleLengths.push_back(uint32_t(site.names.size()));
  return probes;
}

void compile::listKernelProbes(ModuleOp module, ArrayRef<TakenKernel> kernels,
                               ArrayRef<CompiledKernel> compiled,
                               ArrayRef<ProgramInstance> instances) {
  std::vector<KernelProbes> probes;
  llvm::DenseMap<uint32_t, uint32_t> kernelAt;
  for (auto [index, kernel, code] : llvm::enumerate(kernels, compiled)) {
    probes.push_back(describeProbes(code.program));
    kernelAt[kernel.node] = uint32_t(index);
  }
  std::vector<uint32_t> kernelOf;
  for (const ProgramInstance &instance : instances)
    kernelOf.push_back(kernelAt.lookup(instance.kernel));
  setKernelProbes(module, probes, kernelOf);
}
