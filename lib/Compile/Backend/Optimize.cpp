//===- Optimize.cpp - LLVM's passes on code of a model --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"
#include "mlir-prof/Codegen/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/InferFunctionAttrs.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Keeps loops of vectors from being unrolled: the rules that built them, or
/// LLVM's vectorizer, chose how many vectors they compute in a step. Copies of
/// such bodies took a third of the code generator's time.
class KeepVectorLoops : public PassInfoMixin<KeepVectorLoops> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    for (Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost() && hasVectors(*loop))
        loop->setLoopAlreadyUnrolled();
    return PreservedAnalyses::all();
  }

private:
  static bool hasVectors(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &instruction) {
        return instruction.getType()->isVectorTy();
      });
    });
  }
};
} // namespace

/// Whether `function` only calls another one.
static bool isForwarder(const Function &function) {
  return function.size() == 1 && function.front().size() == 2 &&
         isa<CallInst>(function.front().front());
}

/// Skips passes on functions for which they take long and find nothing: a model
/// has hundreds of functions that call a kernel, and in functions that hold
/// parts of models, rules have already vectorized the code.
static void skipPasses(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any unit) {
    const auto *function = any_cast<const Function *>(&unit);
    if (!function)
      return true;
    return !isForwarder(**function) &&
           (pass != "SLPVectorizerPass" ||
            !(*function)->hasFnAttribute(codegen::kPartOfModel));
  });
}

/// Loops get the form in which they are fast, and what does not change within
/// them leaves them; those of a few steps vanish.
static void addLoopPasses(FunctionPassManager &passes) {
  LoopPassManager invariants;
  invariants.addPass(LoopRotatePass());
  invariants.addPass(LICMPass(LICMOptions()));
  // Checks of indices leave loops that gather.
  invariants.addPass(SimpleLoopUnswitchPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariants),
                                                 /*UseMemorySSA=*/true));
  LoopPassManager shapes;
  shapes.addPass(LoopIdiomRecognizePass());
  shapes.addPass(LoopDeletionPass());
  shapes.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shapes)));
}

/// For loops that rules left as they were.
static void addScalarLoopPasses(FunctionPassManager &passes,
                                const BackendOptions &options) {
  passes.addPass(LoopVectorizePass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(KeepVectorLoops());
  passes.addPass(LoopUnrollPass());
  // Sums in memory become sums in registers.
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  // A loop that counts to a constant ends when a register is zero.
  if (!codegen::hasVectors(options.target))
    passes.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
}

/// The passes that change the speed of code that rules have vectorized: they
/// take a third of the time of all passes of -O3, and leave less code to
/// generate. Each was left out in turn, and stays if a model got slower.
static ModulePassManager getPassesForVectorCode(const BackendOptions &options) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass(
      InstCombineOptions().setMaxIterations(1).setVerifyFixpoint(false)));
  addLoopPasses(passes);
  addScalarLoopPasses(passes, options);
  passes.addPass(SimplifyCFGPass());
  ModulePassManager all;
  all.addPass(AlwaysInlinerPass());
  all.addPass(InferFunctionAttrsPass());
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  return all;
}

/// Leaves functions with assembly as they are written: Arm's scheduler before
/// the allocation of registers would load what the assembly reads so early that
/// sums leave their registers.
static void keepOrder(Module &module, const TargetMachine &machine) {
  const Triple &triple = machine.getTargetTriple();
  if (!triple.isARM() && !triple.isThumb())
    return;
  constexpr StringLiteral features = "target-features";
  for (Function &function : module)
    if (any_of(instructions(function), [](const Instruction &instruction) {
          auto *call = dyn_cast<CallBase>(&instruction);
          return call && call->isInlineAsm();
        })) {
      StringRef before = function.getFnAttribute(features).getValueAsString();
      function.addFnAttr(features, (before + ",-use-misched").str());
    }
}

static ModulePassManager getPasses(PassBuilder &builder,
                                   const BackendOptions &options) {
  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  OptimizationLevel level = levels[std::min(options.optimization, 3u)];
  if (options.optimization == 0)
    return builder.buildO0DefaultPipeline(level);
  return options.isVectorized ? getPassesForVectorCode(options)
                              : builder.buildPerModuleDefaultPipeline(level);
}

void compile::optimize(Module &module, TargetMachine &machine,
                       const BackendOptions &options) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  PassInstrumentationCallbacks callbacks;
  skipPasses(callbacks);
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  getPasses(builder, options).run(module, modules);
  extendNearProducts(module);
  keepOrder(module, machine);
}
