//===- KernelCompiler.cpp - Compiling one kernel --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCompiler.h"
#include "KernelEntry.h"
#include "KernelProbes.h"
#include "mlir-prof/Codegen/Lowering.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

namespace {
/// The compilation of one kernel.
class KernelCompilation {
public:
  KernelCompilation(const KernelSource &kernel, const CompileOptions &given,
                    ModuleOp module, StagePasses &passes)
      : kernel(kernel), options(getOwnOptions(kernel, given)),
        stages(module, options, &passes) {
    options.audit = given.audit ? &audit : nullptr;
    // All users of the kernel are told, also those that find it in the cache.
    options.onWarning = [this](llvm::StringRef text) {
      warnings.push_back(text.str());
    };
  }

  llvm::Expected<CompiledKernel> run();

private:
  static CompileOptions getOwnOptions(const KernelSource &kernel,
                                      const CompileOptions &given);
  llvm::Error lower();
  llvm::Expected<CompiledKernel> emit();

  const KernelSource &kernel;
  CompileOptions options;
  AuditLog audit;
  std::vector<std::string> warnings;
  StageRunner stages;
  KernelPhases phases;
};
} // namespace

CompileOptions KernelCompilation::getOwnOptions(const KernelSource &kernel,
                                                const CompileOptions &given) {
  CompileOptions options = given;
  options.target.goal = kernel.goal;
  if (!kernel.hasProbes) {
    options.instrument.reset();
    options.recordValues = false;
  }
  return options;
}

/// Adds the place in the model to an error about an op of the kernel, which
/// does not have a location.
static llvm::Error addPlace(llvm::Error error, const KernelSource &kernel) {
  return llvm::handleErrors(std::move(error), [&](const InputError &found) {
    bool isAnywhere =
        found.getWhere() == kUnknownPlace && !kernel.place.empty();
    return inputError(isAnywhere ? kernel.place : found.getWhere(),
                      found.getWhat(), found.getHint());
  });
}

llvm::Error KernelCompilation::lower() {
  auto pipeline = resolvePipeline(options.pipeline, getRuleTarget(options));
  if (!pipeline)
    return pipeline.takeError();
  bool isFormed = false;
  for (const PipelineStage &stage : *pipeline) {
    if (!isFormed) {
      isFormed = stage.form == StageForm::Dispatched;
      continue;
    }
    if (stage.form == StageForm::Planned || stage.form == StageForm::Placed)
      continue;
    if (stage.form == StageForm::Divided)
      markKernel(stages.module);
    if (stage.level == kLLVMLevel)
      phases = codegen::isGpu(options.target)
                   ? addGpuEntry(stages.module, kernel.symbol)
                   : addKernelEntry(stages.module, kernel.symbol);
    if (llvm::Error error = stages.run(stage))
      return error;
  }
  return stages.checkLowered();
}

llvm::Expected<CompiledKernel> KernelCompilation::emit() {
  CompiledKernel compiled;
  if (options.identities)
    compiled.program = getProgram(stages.module);
  BackendOptions backend;
  backend.target = options.target;
  backend.isVectorized = !codegen::isGpu(options.target);
  backend.hasSections = hasSections(options);
  backend.embedsBitcode = options.embedsBitcode;
  auto code =
      emitKernel(stages.module, kernel.symbol, backend, compiled.program);
  if (!code)
    return code.takeError();
  compiled.object = std::move(code->object);
  compiled.usesOpenMP = code->usesOpenMP;
  compiled.phases = std::move(phases);
  compiled.warnings = std::move(warnings);
  auto levels = stages.takeLevels();
  if (!levels)
    return levels.takeError();
  for (KeptLevel &level : *levels)
    compiled.levels.push_back(std::move(level.stored));
  compiled.audit = std::move(audit);
  compiled.program.fingerprint = fingerprintProgram(compiled.program);
  for (IrModule &level : compiled.levels)
    level.program = compiled.program.fingerprint;
  return std::move(compiled);
}

llvm::Expected<CompiledKernel> KernelCompilation::run() {
  // The model keeps the text of this level.
  if (options.identities && failed(snapshotLevel(stages.module, kDispatchLevel,
                                                 {prof::IdentityForm::Number})))
    return stages.errors.take("the kernel cannot get identities");
  auto function = *stages.module.getOps<func::FuncOp>().begin();
  unsigned outputs = function.getNumResults();
  openKernel(function);
  codegen::setIndexBits(stages.module, options.target.addressBits);
  // Passes for GPUs run on kernels only.
  if (codegen::isGpu(options.target))
    markKernel(stages.module);
  if (kernel.hasProbes)
    stages.beforeProbes = [&] { takePart(stages.module, outputs); };
  if (llvm::Error error = lower())
    return std::move(error);
  return emit();
}

bool compile::hasSections(const CompileOptions &options) {
  return !options.target.hasHeap &&
         (options.keepKernels || codegen::isGpu(options.target));
}

llvm::Expected<CompiledKernel>
compile::compileKernel(const KernelSource &kernel,
                       const CompileOptions &options,
                       KernelWorkshop &workshop) {
  scope::Scope scope("kernel " + kernel.name);
  ParserConfig config(workshop.context.get(), /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kernel.bytecode, config);
  if (!module)
    return inputError("kernel '" + kernel.name + "'", "it cannot be read back");
  auto compiled =
      KernelCompilation(kernel, options, *module, workshop.passes).run();
  if (!compiled)
    return addPlace(compiled.takeError(), kernel);
  return compiled;
}

KernelWorkshop::KernelWorkshop()
    : context(std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED)) {
  PROF_SCOPE("make context");
  prepareKernelContext(context.get());
}
