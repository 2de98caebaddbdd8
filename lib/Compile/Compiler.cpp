//===- Compiler.cpp - Compiling a model to machine code -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/Compiler.h"
#include "Backend/Constants.h"
#include "Kernels/AppendKernels.h"
#include "Kernels/DeviceProgram.h"
#include "Kernels/Instances.h"
#include "Kernels/KeepKernels.h"
#include "Kernels/KernelBuilder.h"
#include "Kernels/KernelEntry.h"
#include "Kernels/KernelProbes.h"
#include "Kernels/Programs.h"
#include "Kernels/TakeKernels.h"
#include "Kernels/Workspaces.h"
#include "ModelChecks.h"
#include "Pipelines/Stages.h"
#include "Repeats/RepeatedCode.h"
#include "SharedContext.h"
#include "StageRunner.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Lowering.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/BackgroundThread.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Annotate.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// Keeps the name of the function `entry` apart from that of the code.
static void renameHost(ModuleOp module, StringRef entry, StringRef symbol) {
  SymbolTable symbols(module);
  (void)symbols.rename(symbols.lookup(entry), (symbol + "_host").str());
}

namespace {

/// One compilation.
class Compilation {
public:
  Compilation(ModuleOp module, const CompileOptions &options, Verified verified)
      : module(module), options(options), verified(verified),
        background(std::make_unique<BackgroundThread>()),
        constants(module.getContext(), background.get()),
        stages(module, options) {}

  llvm::Expected<CompiledModel> run();
  /// Runs the stages up to and including the first after which the module has
  /// `form`.
  llvm::Error runUntil(StageForm form);

private:
  llvm::Error prepare();
  /// Waits for the background thread; fails if it crashed.
  llvm::Error awaitBackground();
  /// Chooses the devices of dispatches. Fails if there are some, and the host
  /// side is not kept as a list of dispatches.
  llvm::Error placeDispatches();
  /// Takes the kernels out of the module and starts to compile them.
  llvm::Error startKernels();
  /// Waits until the kernels are compiled.
  llvm::Error awaitKernels();
  /// Tells the host side which probes the kernels have.
  llvm::Error listProbes();
  llvm::Error finishKernels();
  llvm::Error closeLevels(std::vector<KeptLevel> levels);
  /// For targets without a heap: finds memory for what kernels need before the
  /// stage `next` plans it, and an entry that takes all memory.
  llvm::Error prepareMemory(const PipelineStage &next);
  llvm::Error emitPlaced(const BackendOptions &backend);
  /// Takes the first values of variables, whose memory callers pass.
  llvm::Error takeState();
  /// Makes the host side, as code or as a list of dispatches.
  llvm::Error makeHost();
  llvm::Error makeHostGraph();
  /// Sets what the program has of the host side.
  llvm::Error describeProgram();
  /// Whether nothing needs the program before it is complete.
  bool mayDeferLevels();
  llvm::Error finishDevice();
  /// Lowers the module to the level linalg if it has alike layers. Returns the
  /// number of stages that are done; 0, and the module as it was, if it has to
  /// be lowered as a whole.
  size_t lowerShared(ArrayRef<PipelineStage> pipeline);
  llvm::Error lowerWithoutLayers(ArrayRef<PipelineStage> lowering,
                                 RepeatedCode &repeated);
  /// Runs all stages, or the stages up to the first that produces `last`.
  llvm::Error lower(std::optional<StageForm> last);
  llvm::Error emit();

  ModuleOp module;
  const CompileOptions &options;
  Verified verified;
  std::optional<SharedContext> shared;
  /// Outlives a crash of this thread.
  std::unique_ptr<BackgroundThread> background;
  codegen::ConstantScope constants;
  StageRunner stages;
  /// The name of the function to run in the model, and in the code.
  std::string entry, entrySymbol;
  std::vector<TakenKernel> kernels;
  std::vector<ProgramInstance> instances;
  ConstantArguments constantArguments;
  std::unique_ptr<KernelBuilder> builder;
  /// In the order of `kernels`, once they are compiled.
  std::vector<CompiledKernel> compiled;
  std::vector<HostProgram> programs;
  CompiledModel model;
};

} // namespace

bool Compilation::mayDeferLevels() {
  // Probes and levels of others are entries of the program. Whoever takes the
  // module takes the program with it.
  if (!stages.background || !options.identities || options.audit ||
      options.choose || stages.identityForm != prof::IdentityForm::Number ||
      module->hasAttr(prof::ProfDialect::getProgramAttrName()) ||
      stages.hasProbes())
    return false;
  auto pipeline = resolvePipeline(options.pipeline, getRuleTarget(options));
  if (!pipeline) {
    llvm::consumeError(pipeline.takeError());
    return false;
  }
  return llvm::none_of(*pipeline, [](const PipelineStage &stage) {
    return stage.level == kCustomLevel;
  });
}

llvm::Error Compilation::prepare() {
  PROF_SCOPE("prepare");
  prepareContext(module.getContext());
  shared.emplace(module.getContext());
  if (shared->isShared())
    stages.background = background.get();
  if (llvm::Error error = checkResources(module))
    return error;
  if (verified == Verified::No && failed(verify(module)))
    return stages.errors.take("the module does not verify");
  if (options.isContained)
    if (llvm::Error error = checkContained(module))
      return error;
  if (llvm::Error error = checkSymbols(module))
    return error;
  inlineScalarResources(module);
  // Annotations on a model do not change its compilation.
  (void)stripAnnotations(module);
  module->walk([](Operation *op) {
    // A mark in a file does not prove that a loop is parallel.
    op->removeDiscardableAttr(codegen::kParallelLoop);
    op->removeDiscardableAttr(transforms::kBlockLoop);
    // Numbers of dispatches and ops are those of another build.
    if (auto run = dyn_cast<dispatch::RunOp>(op)) {
      run.removeInstanceAttr();
      run.removeOriginsAttr();
    }
  });
  auto function = findEntry(module, options.entry);
  if (!function)
    return function.takeError();
  auto signature = getSignature(*function);
  if (!signature)
    return signature.takeError();
  model.signature = std::move(*signature);
  entry = function->getSymName().str();
  prepareEntry(*function);
  if (!options.target.hasHeap)
    (*function)->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  codegen::setIndexBits(module, options.target.addressBits);
  if (mayDeferLevels())
    stages.deferLevels();
  if (llvm::Error error = stages.keepLevel("input"))
    return error;
  renameLibraryClashes(module);
  entrySymbol = function->getSymName().str();
  return llvm::Error::success();
}

/// Lowers the module without most of its alike layers to linalg, and puts them
/// back.
llvm::Error Compilation::lowerWithoutLayers(ArrayRef<PipelineStage> lowering,
                                            RepeatedCode &repeated) {
  for (const PipelineStage &stage : lowering) {
    if (stage.form == StageForm::Prepared)
      continue;
    if (llvm::Error error = stages.checkKnown())
      return error;
    if (&stage == &lowering.back())
      stages.beforeLevel = [&] {
        // Layers that are left out would warn, too.
        return stages.errors.releaseWarnings() == 0 &&
                       succeeded(repeated.expand(constants))
                   ? llvm::Error::success()
                   : inputError("model", "does not have alike layers");
      };
    llvm::Error error = stages.run(stage);
    stages.beforeLevel = nullptr;
    if (error)
      return error;
  }
  return llvm::Error::success();
}

size_t Compilation::lowerShared(ArrayRef<PipelineStage> pipeline) {
  const auto *linalg = llvm::find_if(pipeline, [](const PipelineStage &stage) {
    return stage.level == kGraphLevel;
  });
  // Ranges of integers are found in the values of all weights.
  if (!options.sharesLayers || linalg == pipeline.end() || options.choose ||
      options.audit || !codegen::hasVectors(options.target))
    return 0;
  std::unique_ptr<RepeatedCode> repeated =
      RepeatedCode::shorten(module, entrySymbol);
  if (!repeated)
    return 0;
  size_t count = linalg - pipeline.begin() + 1;
  stages.errors.holdWarnings();
  llvm::Error error = lowerWithoutLayers(pipeline.take_front(count), *repeated);
  (void)stages.errors.releaseWarnings();
  bool isComplete = !error;
  llvm::consumeError(std::move(error));
  if (isComplete)
    return count;
  repeated->restore();
  return 0;
}

llvm::Error Compilation::lower(std::optional<StageForm> last) {
  auto pipeline = resolvePipeline(options.pipeline, getRuleTarget(options));
  if (!pipeline)
    return pipeline.takeError();
  size_t done = 0;
  if (!last)
    done = lowerShared(*pipeline);
  for (const PipelineStage &stage : ArrayRef(*pipeline).drop_front(done)) {
    if (stage.form == StageForm::Divided ||
        (stage.form == StageForm::Prepared && last != StageForm::Prepared))
      continue;
    // Passes that users name may know ops that MLIR does not; upstream's passes
    // do not, and some of them crash at such ops.
    if (stage.level != kCustomLevel)
      if (llvm::Error error = stages.checkKnown())
        return error;
    if (!options.target.hasHeap)
      if (llvm::Error error = prepareMemory(stage))
        return error;
    if (llvm::Error error = stages.run(stage))
      return error;
    if (stage.form == StageForm::Placed)
      if (llvm::Error error = takeState())
        return error;
    // The checks that follow are for the forms of ops that a model may have.
    if (stage.level == kCustomLevel && options.isContained)
      if (llvm::Error error =
              checkContained(module, ", after the passes of the pipeline,"))
        return error;
    if (last == stage.form)
      return llvm::Error::success();
    if (stage.form == StageForm::Dispatched) {
      if (llvm::Error error = placeDispatches())
        return error;
      if (llvm::Error error = startKernels())
        return error;
    }
  }
  if (last)
    return inputError("pipeline '" + options.pipeline + "'",
                      "does not have a stage to stop at",
                      "The pipeline 'default' has one.");
  return stages.checkLowered();
}

llvm::Error Compilation::placeDispatches() {
  if (!options.places.empty()) {
    auto build = [&](OpPassManager &manager) {
      codegen::PlaceDispatchesPassOptions places;
      places.places.assign(options.places.begin(), options.places.end());
      manager.addPass(codegen::createPlaceDispatchesPass(places));
      return llvm::Error::success();
    };
    if (llvm::Error error = stages.run({"", build}))
      return error;
  }
  dispatch::RunOp placed;
  module->walk([&](dispatch::RunOp run) {
    if (run.getDevice())
      placed = run;
  });
  if (!placed || options.keepHostGraph)
    return llvm::Error::success();
  return inputError("the model",
                    "places '" + placed.getKernel() + "' on the device '" +
                        *placed.getDevice() + "'",
                    "deploy with --control=none, c or bytecode takes it.");
}

llvm::Error Compilation::takeState() {
  constants.awaitValues();
  auto state = codegen::takeFirstState(module, readConstant);
  if (failed(state))
    return stages.errors.take("the first values of variables are not known");
  model.firstState = std::move(*state);
  model.stateBytes = model.firstState.size();
  return llvm::Error::success();
}

llvm::Error Compilation::prepareMemory(const PipelineStage &next) {
  if (next.form == StageForm::Planned && builder) {
    // Their workspaces are planned with the buffers.
    if (llvm::Error error = awaitKernels())
      return error;
    addWorkspaces(module, kernels, compiled);
  }
  if (next.level == kLLVMLevel) {
    renameHost(module, entrySymbol, options.placedSymbol);
    entrySymbol = options.placedSymbol;
    model.arenaBytes = addKernelEntry(module, entrySymbol).workspaceBytes;
  }
  return llvm::Error::success();
}

llvm::Error Compilation::awaitBackground() {
  PROF_SCOPE("await background");
  background->wait();
  return background->hasCrashed() ? makeCrashError("model", options.pipeline)
                                  : llvm::Error::success();
}

llvm::Error Compilation::runUntil(StageForm form) {
  stages.identityForm = prof::IdentityForm::Attribute;
  if (llvm::Error error = prepare())
    return error;
  if (llvm::Error error = lower(form))
    return error;
  // Whoever takes the module reads the constants.
  return awaitBackground();
}

llvm::Error Compilation::describeProgram() {
  if (!options.identities)
    return llvm::Error::success();
  auto program = stages.takeProgram();
  if (!program)
    return program.takeError();
  model.program = std::move(*program);
  model.program.entry = entry;
  model.program.pipeline = options.pipeline;
  model.program.target = options.target.cpu;
  setInstances(std::move(instances), model.program);
  return llvm::Error::success();
}

llvm::Error Compilation::emit() {
  PROF_SCOPE("emit");
  programs = takePrograms(module);
  if (llvm::Error error = describeProgram())
    return error;
  BackendOptions backend;
  backend.target = options.target;
  backend.isVectorized = formsKernels(options.pipeline, options.target);
  backend.callsKernels = !kernels.empty();
  backend.hasSections = hasSections(options);
  backend.embedsBitcode = options.embedsBitcode;
  llvm::Error error = options.target.hasHeap
                          ? emitObject(module, entrySymbol, backend, model)
                          : emitPlaced(backend);
  // The model has taken those that it needs.
  constants.freeAll();
  return error;
}

/// The host side as a kernel of kernels.
llvm::Error Compilation::emitPlaced(const BackendOptions &backend) {
  if (!options.sharedConstants.empty())
    shareConstants(module, options.sharedConstants, model);
  auto code = emitKernel(module, entrySymbol, backend, model.program);
  if (!code)
    return code.takeError();
  model.object = std::move(code->object);
  model.entrySymbol = entrySymbol;
  return llvm::Error::success();
}

llvm::Error Compilation::startKernels() {
  instances = readInstances(module);
  if (options.keepKernels)
    constantArguments = findConstantArguments(module);
  // Kernels are written with the small constants in them.
  constants.awaitValues();
  // A kernel that is replaced later gets the same arguments.
  bool mayHaveProbes = !instances.empty() && !options.keepKernels;
  auto taken = takeKernels(module, options, mayHaveProbes);
  if (!taken)
    return taken.takeError();
  kernels = std::move(*taken);
  // Without identities nobody asks which dispatch runs.
  if (!options.identities)
    module->walk([](dispatch::RunOp run) { run.removeInstanceAttr(); });
  std::vector<KernelSource> sources;
  for (const TakenKernel &kernel : kernels)
    sources.push_back(kernel.source);
  // Kernels that stay apart have levels of their own.
  stages.leavesOpen = stages.background && options.identities &&
                      !kernels.empty() && !options.keepKernels &&
                      !codegen::isGpu(options.target);
  builder = std::make_unique<KernelBuilder>(std::move(sources), options);
  if (llvm::any_of(kernels, [](const TakenKernel &kernel) {
        return kernel.source.hasProbes;
      })) {
    stages.beforeProbes = [this] { passParts(module, kernels); };
    stages.beforeLowering = [this] { return listProbes(); };
  }
  return llvm::Error::success();
}

llvm::Error Compilation::awaitKernels() {
  if (!builder)
    return llvm::Error::success();
  auto finished = builder->finish();
  builder.reset();
  if (!finished)
    return finished.takeError();
  compiled = std::move(*finished);
  return llvm::Error::success();
}

llvm::Error Compilation::listProbes() {
  if (llvm::Error error = awaitKernels())
    return error;
  listKernelProbes(module, kernels, compiled, instances);
  return llvm::Error::success();
}

/// The kernels and the list of dispatches become a program.
llvm::Error Compilation::finishDevice() {
  if (llvm::Error error = describeProgram())
    return error;
  std::vector<std::vector<uint32_t>> nodes;
  if (options.identities)
    nodes = joinPrograms(kernels, compiled, model);
  auto program = makeDeviceProgram(model, kernels, compiled, nodes);
  if (!program)
    return program.takeError();
  model.deviceProgram = std::move(*program);
  model.deviceProgram->target = options.target.cpu;
  model.hostGraph.reset();
  for (auto [source, kernel] : llvm::zip_equal(kernels, compiled))
    model.kernels.push_back({source.source.symbol, std::move(kernel.levels)});
  return llvm::Error::success();
}

llvm::Error Compilation::finishKernels() {
  if (codegen::isGpu(options.target))
    return finishDevice();
  if (kernels.empty())
    return llvm::Error::success();
  model.usesExecutor = !programs.empty();
  if (options.keepKernels) {
    keepKernels(kernels, std::move(compiled), constantArguments, model);
    model.programs = std::move(programs);
    return llvm::Error::success();
  }
  auto tables = emitTables(programs, kernels, compiled, options);
  if (!tables)
    return tables.takeError();
  return appendKernels(kernels, std::move(compiled), *tables, model,
                       options.audit);
}

/// The levels of the host side get those of the kernels.
llvm::Error Compilation::closeLevels(std::vector<KeptLevel> levels) {
  if (llvm::Error error = joinOpenLevels(std::move(levels), model, *background))
    return error;
  return awaitBackground();
}

llvm::Error Compilation::makeHost() {
  if (llvm::Error error = lower(std::nullopt))
    return error;
  return emit();
}

llvm::Error Compilation::makeHostGraph() {
  module->setAttr(kFixedPlaces, UnitAttr::get(module.getContext()));
  if (llvm::Error error = lower(StageForm::Placed))
    return error;
  auto build = [](OpPassManager &manager) {
    manager.addNestedPass<func::FuncOp>(codegen::createInsertTransfersPass());
    return llvm::Error::success();
  };
  if (llvm::Error error = stages.run({"", build}))
    return error;
  constants.awaitValues();
  SymbolTable symbols(module);
  auto host = symbols.lookup<func::FuncOp>(entrySymbol);
  auto graph = codegen::extractHostGraph(
      host, unsigned(model.signature.arguments.size()), readConstant);
  if (failed(graph))
    return stages.errors.take(
        "the host side is not a list of dispatches",
        codegen::isGpu(options.target)
            ? "A device runs kernels in a fixed order on arrays of fixed sizes."
            : "--control=compiled takes the model.");
  model.hostGraph = std::move(*graph);
  if (auto bytes = host->getAttrOfType<IntegerAttr>(codegen::kWorkspace))
    model.arenaBytes = uint64_t(bytes.getInt());
  return llvm::Error::success();
}

llvm::Expected<CompiledModel> Compilation::run() {
  if (llvm::Error error = prepare())
    return std::move(error);
  bool needsGraph = options.keepHostGraph || codegen::isGpu(options.target);
  if (llvm::Error error = needsGraph ? makeHostGraph() : makeHost())
    return std::move(error);
  if (llvm::Error error = awaitKernels())
    return std::move(error);
  if (llvm::Error error = awaitBackground())
    return std::move(error);
  auto levels = stages.takeLevels();
  if (!levels)
    return levels.takeError();
  for (const KeptLevel &level : *levels)
    model.irModules.push_back(level.stored);
  // The cache would hash all weights again. The last level has all constants:
  // none lies where a hashed one was before.
  for (ExternalConstant &constant : model.constants)
    constant.hash = stages.getHashes().find(constant.bytes);
  if (llvm::Error error = finishKernels())
    return std::move(error);
  if (stages.leavesOpen)
    if (llvm::Error error = closeLevels(std::move(*levels)))
      return std::move(error);
  for (IrModule &stored : model.irModules)
    stored.program = model.program.fingerprint;
  return std::move(model);
}

llvm::Expected<CompiledModel>
compile::compileModel(OwningOpRef<ModuleOp> module,
                      const CompileOptions &options, Verified verified) {
  auto model = Compilation(*module, options, verified).run();
  if (!model)
    return describeUnknownPlace(model.takeError());
  return model;
}

llvm::Expected<Signature> compile::getModelSignature(ModuleOp module,
                                                     StringRef entry) {
  auto function = findEntry(module, entry);
  if (!function)
    return function.takeError();
  return getSignature(*function);
}

llvm::Expected<OwningOpRef<ModuleOp>>
compile::prepareModel(OwningOpRef<ModuleOp> module,
                      const CompileOptions &options, StageForm form,
                      Verified verified) {
  if (llvm::Error error =
          Compilation(*module, options, verified).runUntil(form))
    return describeUnknownPlace(std::move(error));
  return std::move(module);
}
