//===- Compiler.cpp - Compiling a model to machine code -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/Compiler.h"
#include "ModelChecks.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/PassScope/PassScopes.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Annotate.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
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

namespace {

/// The level at which ops are loops, before they become control flow: the level
/// of the probes.
constexpr StringLiteral kProbedLevel = "loops";
constexpr StringLiteral kLastLevel = "llvm";
/// The level after the passes that users name.
constexpr StringLiteral kCustomLevel = "custom";

/// Keeps the errors that MLIR emits, and passes on its warnings.
class ErrorCollector {
public:
  ErrorCollector(MLIRContext *context, const CompileOptions &options)
      : handler(context, [this, &options](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Warning &&
              options.onWarning)
            options.onWarning(describeLocation(diagnostic.getLocation()) +
                              ": " + diagnostic.str());
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              what.empty()) {
            where = describeLocation(diagnostic.getLocation());
            what = diagnostic.str() + nameOp(diagnostic);
          }
          return success();
        }) {}

  /// The first error since the last call, or `otherwise`.
  llvm::Error take(const Twine &otherwise, const Twine &hint = "") {
    std::string message = what.empty() ? otherwise.str() : what;
    std::string place = where.empty() ? "model" : where;
    what.clear();
    where.clear();
    return inputError(place, message, hint);
  }

private:
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

  std::string where;
  std::string what;
  ScopedDiagnosticHandler handler;
};

/// One compilation.
class Compilation {
public:
  Compilation(ModuleOp module, const CompileOptions &options)
      : module(module), options(options), errors(module.getContext(), options) {
  }

  llvm::Expected<CompiledModel> run();
  /// Runs the stages up to and including the first after which the module has
  /// `form`.
  llvm::Error runUntil(StageForm form);

private:
  llvm::Error prepare();
  /// Runs all stages, or the stages up to the first that produces `last`.
  llvm::Error lower(std::optional<StageForm> last);
  llvm::Error runStage(const PipelineStage &stage);
  llvm::Error runPasses(StringRef what,
                        llvm::function_ref<llvm::Error(OpPassManager &)> build);
  bool hasProbes();
  llvm::Error addProbes();
  llvm::Error lowerProbes();
  llvm::Error keepLevel(StringRef level);
  llvm::Error checkLowered();
  llvm::Error checkKnown();
  llvm::Error emit();

  ModuleOp module;
  const CompileOptions &options;
  ErrorCollector errors;
  /// The name of the function to run in the model, and in the code.
  std::string entry, entrySymbol;
  CompiledModel model;
};

} // namespace

/// Loads dialects and the interfaces that passes require of them, and disables
/// threads: the order of identities must be the same in each run, and a
/// recording forks.
static void prepareContext(MLIRContext *context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();
  context->disableMultithreading();
}

llvm::Error Compilation::prepare() {
  PROF_SCOPE("prepare");
  prepareContext(module.getContext());
  if (llvm::Error error = checkResources(module))
    return error;
  if (failed(verify(module)))
    return errors.take("the module does not verify");
  inlineScalarResources(module);
  // Annotations on a model do not change its compilation.
  (void)stripAnnotations(module);
  // A mark in a file does not prove that a loop is parallel.
  module->walk(
      [](Operation *op) { op->removeDiscardableAttr(codegen::kParallelLoop); });
  auto function = findEntry(module, options.entry);
  if (!function)
    return function.takeError();
  auto signature = getSignature(*function);
  if (!signature)
    return signature.takeError();
  model.signature = std::move(*signature);
  entry = function->getSymName().str();
  prepareEntry(*function);
  if (llvm::Error error = keepLevel("input"))
    return error;
  renameLibraryClashes(module);
  entrySymbol = function->getSymName().str();
  return llvm::Error::success();
}

llvm::Error Compilation::keepLevel(StringRef level) {
  PROF_SCOPE("keep level");
  if (!options.identities || level.empty())
    return llvm::Error::success();
  if (failed(snapshotLevel(module, level)))
    return errors.take("level '" + level + "' cannot be kept");
  // The program built so far is stored once, at the end.
  constexpr StringLiteral kProgram = "prof.program";
  Attribute program = module->removeAttr(kProgram);
  Profile holder;
  llvm::Error error = storeModule(holder, level, module, "model");
  if (program)
    module->setAttr(kProgram, program);
  if (error)
    return error;
  model.irModules.push_back(std::move(holder.irModules.front()));
  return llvm::Error::success();
}

llvm::Error
Compilation::runPasses(StringRef what,
                       llvm::function_ref<llvm::Error(OpPassManager &)> build) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  if (options.identities)
    manager.addInstrumentation(createIdentityKeeper(options.audit));
  if (llvm::Error error = build(manager))
    return error;
  if (prof_scope_is_on(scope::kDefaultLevel))
    passscope::addPassScopes(manager);
  if (failed(manager.run(module)))
    return errors.take(what + " fails without an error message");
  return llvm::Error::success();
}

/// Whether there are probes to lower: requested by the options, or inserted by
/// passes of the pipeline.
bool Compilation::hasProbes() {
  if (options.instrument || options.recordValues)
    return true;
  WalkResult result = module->walk([](Operation *op) {
    return isa_and_nonnull<prof::ProfDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

llvm::Error Compilation::addProbes() {
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
  return runPasses("adding probes", stages->front().build);
}

llvm::Error Compilation::lowerProbes() {
  auto stages = resolvePipeline("prof-lower-probes{" + options.lowerProbes +
                                    "},reconcile-unrealized-casts",
                                options.target);
  if (!stages)
    return stages.takeError();
  return runPasses("lowering probes", stages->front().build);
}

llvm::Error Compilation::runStage(const PipelineStage &stage) {
  scope::Scope scope(stage.level.empty() ? "passes" : stage.level);
  std::string what =
      "pipeline '" + options.pipeline + "', stage '" + stage.level + "'";
  if (llvm::Error error = runPasses(what, stage.build)) {
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
  if (stage.level == kLastLevel && hasProbes())
    if (llvm::Error error = lowerProbes())
      return error;
  if (llvm::Error error = keepLevel(stage.level))
    return error;
  return stage.level == kProbedLevel ? addProbes() : llvm::Error::success();
}

llvm::Error Compilation::lower(std::optional<StageForm> last) {
  codegen::TargetModel target = options.target;
  target.polynomials = options.polynomials;
  target.maxError = options.maxError;
  auto stages = resolvePipeline(options.pipeline, target);
  if (!stages)
    return stages.takeError();
  for (const PipelineStage &stage : *stages) {
    // Passes that users name may know ops that MLIR does not; upstream's passes
    // do not, and some of them crash at such ops.
    if (stage.level != kCustomLevel)
      if (llvm::Error error = checkKnown())
        return error;
    if (llvm::Error error = runStage(stage))
      return error;
    if (last == stage.form)
      return llvm::Error::success();
  }
  if (last)
    return inputError("pipeline '" + options.pipeline + "'",
                      "does not have a stage to stop at",
                      "The pipeline 'default' has one.");
  return checkLowered();
}

llvm::Error Compilation::runUntil(StageForm form) {
  if (llvm::Error error = prepare())
    return error;
  return lower(form);
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
llvm::Error Compilation::checkKnown() {
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

llvm::Error Compilation::checkLowered() {
  Operation *left = nullptr, *first = nullptr;
  module->walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    StringRef name = op->getName().getDialectNamespace();
    bool lowered = isa_and_nonnull<LLVM::LLVMDialect>(dialect) ||
                   name == "omp" || name == "prof";
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

llvm::Error Compilation::emit() {
  PROF_SCOPE("emit");
  if (options.identities) {
    model.program = getProgram(module);
    model.program.entry = entry;
    model.program.pipeline = options.pipeline;
    model.program.target = options.target.cpu;
  }
  BackendOptions backend;
  backend.target = options.target;
  return emitObject(module, entrySymbol, backend, model);
}

llvm::Expected<CompiledModel> Compilation::run() {
  if (llvm::Error error = prepare())
    return std::move(error);
  if (llvm::Error error = lower(std::nullopt))
    return std::move(error);
  if (llvm::Error error = emit())
    return std::move(error);
  for (IrModule &stored : model.irModules)
    stored.program = model.program.fingerprint;
  return std::move(model);
}

llvm::Expected<CompiledModel>
compile::compileModel(OwningOpRef<ModuleOp> module,
                      const CompileOptions &options) {
  return Compilation(*module, options).run();
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
                      const CompileOptions &options, StageForm form) {
  if (llvm::Error error = Compilation(*module, options).runUntil(form))
    return std::move(error);
  return std::move(module);
}
