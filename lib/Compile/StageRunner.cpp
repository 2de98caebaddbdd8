//===- StageRunner.cpp - Running the stages of a pipeline -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageRunner.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/PassScope/PassScopes.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// The level at which ops are loops, before they become control flow: the level
/// of the probes.
static constexpr StringLiteral kProbedLevel = "loops";

static void addDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  dispatch::registerDispatchDialect(registry);
  registry.insert<cpu::CpuDialect>();
  context->appendDialectRegistry(registry);
  context->disableMultithreading();
}

void compile::prepareContext(MLIRContext *context) {
  addDialects(context);
  context->loadAllAvailableDialects();
}

void compile::prepareKernelContext(MLIRContext *context) {
  addDialects(context);
  context->loadDialect<
      affine::AffineDialect, arith::ArithDialect,
      bufferization::BufferizationDialect, cf::ControlFlowDialect,
      complex::ComplexDialect, cpu::CpuDialect, dispatch::DispatchDialect,
      DLTIDialect, func::FuncDialect, gpu::GPUDialect, linalg::LinalgDialect,
      LLVM::LLVMDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect,
      math::MathDialect, memref::MemRefDialect, omp::OpenMPDialect,
      prof::ProfDialect, scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
      vector::VectorDialect>();
}

codegen::TargetModel compile::getRuleTarget(const CompileOptions &options) {
  codegen::TargetModel target = options.target;
  target.polynomials = options.polynomials;
  target.maxError = options.maxError;
  return target;
}

//===----------------------------------------------------------------------===//
// ErrorCollector
//===----------------------------------------------------------------------===//

/// Upstream's bufferization says "op was not bufferized", and names the op
/// only in a note.
static std::string nameOp(Diagnostic &diagnostic) {
  if (StringRef(diagnostic.str()).starts_with("'"))
    return "";
  for (Diagnostic &note : diagnostic.getNotes()) {
    std::string text = note.str();
    StringRef rest = text;
    size_t quote = rest.find('"');
    if (!rest.consume_front("see current operation:") ||
        quote == StringRef::npos)
      continue;
    rest = rest.drop_front(rest.find('"') + 1);
    return (" (" + rest.take_until([](char c) { return c == '"'; }) + ")")
        .str();
  }
  return "";
}

ErrorCollector::ErrorCollector(MLIRContext *context,
                               const CompileOptions &options)
    : handler(context, [this, &options](Diagnostic &diagnostic) {
        bool isWarning =
            diagnostic.getSeverity() == DiagnosticSeverity::Warning;
        if (isWarning && held)
          ++*held;
        else if (isWarning && options.onWarning)
          options.onWarning(describeLocation(diagnostic.getLocation()) + ": " +
                            diagnostic.str());
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            what.empty()) {
          where = describeLocation(diagnostic.getLocation());
          what = diagnostic.str() + nameOp(diagnostic);
        }
        return success();
      }) {}

llvm::Error ErrorCollector::take(const Twine &otherwise, const Twine &hint) {
  std::string message = what.empty() ? otherwise.str() : what;
  std::string place = where.empty() ? "model" : where;
  what.clear();
  where.clear();
  return inputError(place, message, hint);
}

//===----------------------------------------------------------------------===//
// StageRunner
//===----------------------------------------------------------------------===//

llvm::Error StageRunner::keepLevel(StringRef level) {
  PROF_SCOPE("keep level");
  if (!options.identities || level.empty())
    return llvm::Error::success();
  if (deferred)
    return deferLevel(level);
  auto store = [&] { storeLevel(level); };
  if (failed(snapshotLevel(module, level, {identityForm, store, texts.get()})))
    return errors.take("level '" + level + "' cannot be kept");
  return llvm::Error::success();
}

llvm::Error StageRunner::deferLevel(StringRef level) {
  auto copy = std::make_shared<OwningOpRef<ModuleOp>>(module.clone());
  FailureOr<uint32_t> first = deferred->identify(module, level);
  if (failed(first))
    return errors.take("level '" + level + "' cannot be kept");
  background->add([kept = kept, levels = deferred, copy, level = level.str(),
                   first = *first, isOpen = leavesOpen] {
    {
      PROF_SCOPE("describe level");
      levels->describe(**copy, level, first);
    }
    kept->take(std::move(*copy), level, isOpen);
  });
  return llvm::Error::success();
}

llvm::Expected<Program> StageRunner::takeProgram() {
  if (!deferred)
    return getProgram(module);
  background->wait();
  if (background->hasCrashed())
    return makeCrashError("model", options.pipeline);
  return deferred->take();
}

void StageRunner::storeLevel(StringRef level) {
  // The program built so far is stored once, at the end.
  constexpr StringLiteral kProgram = "prof.program";
  Attribute program = module->removeAttr(kProgram);
  if (background) {
    // A copy takes a tenth of the time.
    auto copy = std::make_shared<OwningOpRef<ModuleOp>>(module.clone());
    background->add(
        [kept = kept, copy, level = level.str(), isOpen = leavesOpen] {
          kept->take(std::move(*copy), level, isOpen);
        });
  } else {
    kept->store(module, level);
  }
  if (program)
    module->setAttr(kProgram, program);
}

llvm::Expected<std::vector<KeptLevel>> StageRunner::takeLevels() {
  if (kept->error)
    return std::move(*kept->error);
  if (deferred)
    deferred->warn(module);
  return std::move(kept->levels);
}

namespace {
/// Lets each run of a pass manager have a keeper of identities of its own.
class KeeperSlot : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override {
    keeper->runBeforePass(pass, op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    keeper->runAfterPass(pass, op);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    keeper->runAfterPassFailed(pass, op);
  }

  std::unique_ptr<PassInstrumentation> keeper;
};
} // namespace

struct StagePasses::Manager {
  explicit Manager(MLIRContext *context)
      : passes(context, ModuleOp::getOperationName()) {}

  PassManager passes;
  /// Null if identities are not kept.
  KeeperSlot *slot = nullptr;
};

StagePasses::StagePasses() = default;
StagePasses::StagePasses(StagePasses &&) = default;
StagePasses::~StagePasses() = default;

llvm::Expected<std::unique_ptr<StagePasses::Manager>> StageRunner::makeManager(
    bool verifiesEach, llvm::function_ref<llvm::Error(OpPassManager &)> build) {
  auto manager = std::make_unique<StagePasses::Manager>(module.getContext());
  if (options.identities) {
    auto slot = std::make_unique<KeeperSlot>();
    manager->slot = slot.get();
    manager->passes.addInstrumentation(std::move(slot));
  }
  manager->passes.addInstrumentation(codegen::createConstantSweeper());
  if (llvm::Error error = build(manager->passes))
    return std::move(error);
  manager->passes.enableVerifier(verifiesEach);
  if (prof_scope_is_on(scope::kDefaultLevel))
    passscope::addPassScopes(manager->passes, verifiesEach);
  return std::move(manager);
}

/// Verifying the module takes longer than many a pass. An audit verifies it
/// after each pass nevertheless, to find the pass that breaks it.
llvm::Error
StageRunner::runPasses(StringRef what, Verification verification,
                       llvm::function_ref<llvm::Error(OpPassManager &)> build) {
  bool isForEach = verification == Verification::AfterEachPass || options.audit;
  std::unique_ptr<StagePasses::Manager> own;
  std::unique_ptr<StagePasses::Manager> &manager =
      passes ? passes->managers[{what.str(), runs[what.str()]++}] : own;
  if (!manager) {
    auto made = makeManager(isForEach, build);
    if (!made)
      return made.takeError();
    manager = std::move(*made);
  }
  if (manager->slot)
    manager->slot->keeper = createIdentityKeeper(options.audit);
  if (failed(manager->passes.run(module)))
    return errors.take(what + " fails without an error message");
  PROF_SCOPE("verify");
  if (!isForEach && verification != Verification::Never &&
      failed(verify(module)))
    return errors.take(what + " leaves a module that does not verify");
  return llvm::Error::success();
}

bool StageRunner::hasProbes() {
  if (options.instrument || options.recordValues)
    return true;
  WalkResult result = module->walk([](Operation *op) {
    return isa_and_nonnull<prof::ProfDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

llvm::Error StageRunner::addProbes() {
  if (beforeProbes)
    beforeProbes();
  std::string passes;
  // With probes in innermost loops, their trips should be recorded too.
  bool everywhere = options.instrument &&
                    StringRef(*options.instrument).contains("scope=all");
  if (options.recordValues)
    passes = everywhere ? "prof-record-values{everywhere=true}"
                        : "prof-record-values";
  if (options.instrument)
    passes += (passes.empty() ? "" : ",") + std::string("prof-instrument{") +
              *options.instrument + "}";
  if (passes.empty())
    return llvm::Error::success();
  auto stages = resolvePipeline(passes, options.target);
  if (!stages)
    return stages.takeError();
  return runPasses("adding probes", Verification::AtTheEnd,
                   stages->front().build);
}

llvm::Error StageRunner::lowerProbes() {
  if (beforeLowering)
    if (llvm::Error error = beforeLowering())
      return error;
  auto stages = resolvePipeline("prof-lower-probes{" + options.lowerProbes +
                                    "},reconcile-unrealized-casts",
                                options.target);
  if (!stages)
    return stages.takeError();
  return runPasses("lowering probes", Verification::AtTheEnd,
                   stages->front().build);
}

llvm::Error StageRunner::run(const PipelineStage &stage) {
  scope::Scope scope(stage.level.empty() ? "passes" : stage.level);
  std::string what =
      "pipeline '" + options.pipeline + "', stage '" + stage.level + "'";
  // Passes that users name are not known to be right. Between levels, only an
  // audit looks for the pass that breaks the module.
  bool isBorder = !stage.level.empty() || stage.form == StageForm::Prepared;
  Verification verification = stage.level == kCustomLevel
                                  ? Verification::AfterEachPass
                              : isBorder ? Verification::AtTheEnd
                                         : Verification::Never;
  if (llvm::Error error = runPasses(what, verification, stage.build)) {
    // Passes fail in various ways at ops that they do not know.
    llvm::Error cause = checkKnown();
    if (!cause)
      return error;
    llvm::consumeError(std::move(error));
    return cause;
  }
  if (stage.form == StageForm::Canonical && options.choose)
    if (llvm::Error error = options.choose(module))
      return error;
  if (stage.level == kLLVMLevel && hasProbes())
    if (llvm::Error error = lowerProbes())
      return error;
  if (beforeLevel)
    if (llvm::Error error = beforeLevel())
      return error;
  if (llvm::Error error = keepLevel(stage.level))
    return error;
  return stage.level == kProbedLevel ? addProbes() : llvm::Error::success();
}

/// The type because of which `op`, which remains, cannot be lowered; null if
/// the type is not the reason.
static Type getTypeToBlame(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    // Ops may move small floats, but not compute with them.
    Type element = isa<VectorType>(type) ? getElementTypeOrSelf(type) : type;
    bool isMeant =
        isa<UnrealizedConversionCastOp>(op) || isa<FloatType>(element);
    if (isMeant && !LLVM::isCompatibleType(element))
      return element;
  }
  return Type();
}

/// `where` is the location of `op`, or of an op next to it.
static llvm::Error reportNoLowering(Operation *op, const std::string &where) {
  std::string what = "op '" + op->getName().getStringRef().str() + "'";
  if (Type type = getTypeToBlame(op))
    what = llvm::formatv("type '{0}'", type);
  return inputError(where,
                    what + " does not have a lowering to the LLVM dialect",
                    "Lower it first, or by passes of --pipeline.");
}

/// Fails if an op does not belong to one of MLIR's dialects.
llvm::Error StageRunner::checkKnown() {
  Operation *unknown = nullptr;
  // From the outside in: ops in a region of such an op are less informative.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->isRegistered())
      return WalkResult::advance();
    unknown = op;
    return WalkResult::interrupt();
  });
  return unknown
             ? reportNoLowering(unknown, describeLocation(unknown->getLoc()))
             : llvm::Error::success();
}

llvm::Error StageRunner::checkLowered() {
  Operation *left = nullptr, *first = nullptr;
  module->walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    StringRef name = op->getName().getDialectNamespace();
    bool lowered = isa_and_nonnull<LLVM::LLVMDialect>(dialect) ||
                   name == "omp" || name == "prof" || name == "nvvm";
    if (op == module || lowered)
      return;
    // Conversions leave casts before and after an op that they do not know, and
    // casts alone if a conversion does not know a type.
    if (!left || (isa<UnrealizedConversionCastOp>(left) &&
                  !isa<UnrealizedConversionCastOp>(op)))
      left = op;
    if (!first)
      first = op;
  });
  if (!left)
    return llvm::Error::success();
  // Ops in bodies of named ops do not have locations; the casts before them do.
  bool hasPlace = !isa<UnknownLoc>(prof::removeIdentities(left->getLoc()));
  return reportNoLowering(
      left, describeLocation((hasPlace ? left : first)->getLoc()));
}
