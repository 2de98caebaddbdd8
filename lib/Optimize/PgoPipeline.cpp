//===- PgoPipeline.cpp - Using a profile in any compiler ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/ScheduleWriter.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Optimize/Evidence.h"
#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Optimize/Passes.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir-prof/Tuning/DecisionFile.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::importer;
using namespace mlirprof::optimize;
using namespace mlirprof::transforms;
using namespace mlirprof::tuning;

namespace {

/// The evidence for one module.
struct ModuleKnowledge {
  std::optional<Evidence> evidence;
  /// Whether the program on the module is the pipeline's own.
  bool ownsProgram = false;
};

/// The state that the passes of one pipeline share, with clones of them that
/// compile other modules at the same time.
class PgoState {
public:
  PgoState(const PgoPipelineOptions &options,
           const codegen::TargetModel &target)
      : options(options), target(target) {}

  void put(ModuleOp module, ModuleKnowledge knowledge) {
    std::lock_guard<std::mutex> lock(mutex);
    modules[module] = std::move(knowledge);
  }
  /// Takes out the evidence for `module`.
  ModuleKnowledge take(ModuleOp module) {
    std::lock_guard<std::mutex> lock(mutex);
    auto node = modules.extract(module);
    return node ? std::move(node.mapped()) : ModuleKnowledge();
  }

  const PgoPipelineOptions options;
  const codegen::TargetModel target;

private:
  std::mutex mutex;
  std::map<Operation *, ModuleKnowledge> modules;
};

/// Reads the profile while the module is what was recorded, and gives the ops
/// identities, so that they are known in the module's canonical form.
class ReadEvidencePass
    : public PassWrapper<ReadEvidencePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReadEvidencePass)

  explicit ReadEvidencePass(std::shared_ptr<PgoState> state)
      : state(std::move(state)) {}

  StringRef getArgument() const override { return "prof-read-evidence"; }
  /// Those of all stages: their passes are used to finding them there.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, cf::ControlFlowDialect,
                    func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                    math::MathDialect, memref::MemRefDialect,
                    omp::OpenMPDialect, scf::SCFDialect, tensor::TensorDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    ModuleKnowledge knowledge;
    if (!state->options.profile.empty()) {
      auto profile = importProfile(state->options.profile);
      if (!profile)
        return fail(profile.takeError());
      auto evidence = readEvidence(*profile, state->options.profile, module);
      if (!evidence)
        return fail(evidence.takeError());
      for (const std::string &note : evidence->notes)
        module.emitRemark(note);
      knowledge.evidence = std::move(*evidence);
    }
    knowledge.ownsProgram = getProgram(module).levels.empty();
    if (knowledge.ownsProgram && failed(snapshotLevel(module, "input")))
      return signalPassFailure();
    state->put(module, std::move(knowledge));
  }

private:
  void fail(llvm::Error error) {
    getOperation().emitError(llvm::toString(std::move(error)));
    signalPassFailure();
  }

  std::shared_ptr<PgoState> state;
};

/// Puts choices on the ops of the canonical form.
class ChoosePass : public PassWrapper<ChoosePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChoosePass)

  explicit ChoosePass(std::shared_ptr<PgoState> state)
      : state(std::move(state)) {}

  StringRef getArgument() const override { return "prof-choose"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    ModuleKnowledge knowledge = state->take(module);
    DecisionDatabase database;
    if (!state->options.decisions.empty()) {
      auto loaded = DecisionFile(state->options.decisions).load();
      if (!loaded) {
        module.emitError(llvm::toString(loaded.takeError()));
        return signalPassFailure();
      }
      database = std::move(*loaded);
    }
    ChoiceMap choices =
        findChoices(module, database, getMachineKey(state->target));
    if (knowledge.evidence)
      addTrusted(*knowledge.evidence, choices);
    applyChoices(module, choices);
    if (knowledge.ownsProgram)
      stripIdentities(module);
  }

private:
  /// Ops of other sizes than those of the profile may take their time: nothing
  /// is measured on these here.
  static bool mayTrust(const Technique &technique, const OpSite &site) {
    return technique.name != codegen::choice::kCode ||
           llvm::none_of(site.ops.front()->getOperandTypes(), [](Type type) {
             auto shaped = dyn_cast<ShapedType>(type);
             return shaped && !shaped.hasStaticShape();
           });
  }

  /// Adds the choices for which the profile is reason enough, where nothing was
  /// decided.
  void addTrusted(const Evidence &evidence, ChoiceMap &choices) {
    SiteInput input;
    input.canonical = getOperation();
    input.target = state->target;
    input.evidence = &evidence;
    ModelSites sites = collectSites(input);
    for (const Technique &technique : getTechniques()) {
      if (!technique.isTrusted)
        continue;
      std::vector<Proposal> proposals = technique.propose(sites);
      if (proposals.empty())
        continue;
      for (const auto &[site, choice] : proposals.front().choices)
        if (mayTrust(technique, sites.sites[site]))
          choices[sites.sites[site].signature.exact].try_emplace(
              technique.name.str(), choice);
    }
  }

  std::shared_ptr<PgoState> state;
};

/// PgoPipelineOptions as text.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> profile{
      *this, "profile", llvm::cl::desc("Recording or *.mlprof file to use")};
  Option<std::string> pathToProfile{*this, "path-to-profile",
                                    llvm::cl::desc("The same as profile")};
  Option<std::string> decisions{
      *this, "decisions",
      llvm::cl::desc("File of decisions that mlir-prof optimize made")};
  Option<std::string> until{
      *this, "until",
      llvm::cl::desc("Last stage: annotated (locations carry the profile), "
                     "prepared (versions, packed constants, approximated math "
                     "functions) or llvm; prepared by default with decisions, "
                     "else annotated")};
  Option<unsigned> threads{*this, "threads",
                           llvm::cl::desc("Threads that the code may use"),
                           llvm::cl::init(1)};
  Option<bool> enableProfile{
      *this, "enable-profile",
      llvm::cl::desc("Use the profile; without it the pipeline is empty"),
      llvm::cl::init(true)};
};

} // namespace

/// Adds the stages of the pipeline `single-function`, with the choices in
/// between: a pass pipeline makes a module, and kernels would be objects.
static LogicalResult
addStages(OpPassManager &manager, const std::shared_ptr<PgoState> &state,
          function_ref<LogicalResult(const Twine &)> onError) {
  auto stages = resolvePipeline("single-function", state->target);
  if (!stages)
    return onError(llvm::toString(stages.takeError()));
  for (const PipelineStage &stage : *stages) {
    if (llvm::Error error = stage.build(manager))
      return onError(llvm::toString(std::move(error)));
    if (stage.form == StageForm::Canonical)
      manager.addPass(std::make_unique<ChoosePass>(state));
    if (stage.form == StageForm::Prepared &&
        state->options.until == PgoStage::Prepared)
      break;
  }
  return success();
}

LogicalResult
optimize::buildPgoPipeline(OpPassManager &manager,
                           const PgoPipelineOptions &options,
                           function_ref<LogicalResult(const Twine &)> onError) {
  if (!options.enableProfile)
    return success();
  auto state = std::make_shared<PgoState>(
      options, codegen::getHostTarget(options.threads));
  bool isTransformed = options.until != PgoStage::Annotated;
  if (isTransformed)
    manager.addPass(std::make_unique<ReadEvidencePass>(state));
  if (!isTransformed || !options.profile.empty()) {
    ProfAnnotateOptions annotate;
    annotate.profile = options.profile;
    annotate.carrier = Carrier::Location;
    // Evidence from a profile of another build is found by alignment.
    annotate.allowUnmatched = isTransformed;
    manager.addPass(createProfAnnotate(annotate));
  }
  return isTransformed ? addStages(manager, state, onError) : success();
}

static std::optional<PgoStage> parseStage(StringRef text, bool hasDecisions) {
  if (text.empty())
    return hasDecisions ? PgoStage::Prepared : PgoStage::Annotated;
  return llvm::StringSwitch<std::optional<PgoStage>>(text)
      .Case("annotated", PgoStage::Annotated)
      .Case("prepared", PgoStage::Prepared)
      .Case("llvm", PgoStage::LLVM)
      .Default(std::nullopt);
}

static LogicalResult
addPipeline(OpPassManager &manager, StringRef text,
            function_ref<LogicalResult(const Twine &)> errorHandler) {
  TextOptions parsed;
  if (failed(parsed.parseFromString(text)))
    return failure();
  if (!parsed.profile.empty() && !parsed.pathToProfile.empty() &&
      parsed.profile != parsed.pathToProfile)
    return errorHandler("prof-pgo-pipeline: profile and path-to-profile are "
                        "the same option and name different files");
  PgoPipelineOptions options;
  options.profile =
      parsed.profile.empty() ? parsed.pathToProfile : parsed.profile;
  options.decisions = parsed.decisions;
  options.threads = std::clamp(unsigned(parsed.threads), 1u, 1024u);
  options.enableProfile = parsed.enableProfile;
  std::optional<PgoStage> until =
      parseStage(parsed.until, !options.decisions.empty());
  if (!until)
    return errorHandler("prof-pgo-pipeline: until is annotated, prepared or "
                        "llvm, not '" +
                        parsed.until + "'");
  options.until = *until;
  return buildPgoPipeline(manager, options, errorHandler);
}

void optimize::registerOptimizePasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerMLIRProfOptimizePasses();
    registerPassPipeline(
        "prof-pgo-pipeline",
        "Use a profile: carry it through compilation, and optimize by it",
        addPipeline,
        [](function_ref<void(const detail::PassOptions &)> handler) {
          handler(TextOptions());
        });
  });
}
