//===- passes.cpp - The cost of telling passes apart ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the time of a pipeline of passes that do nothing on a module with many
// functions, for each contestant and round: nanoseconds of one run of a pass on
// a function. Then the same of a timer that is started and stopped. Arguments:
// functions, passes, rounds, and whether MLIR may use threads.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/PassScope/PassScopes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>
#include <cstdlib>

using namespace mlirprof;

namespace {

template <int kNumber>
struct IdlePass : mlir::PassWrapper<IdlePass<kNumber>,
                                    mlir::OperationPass<mlir::func::FuncOp>> {
  llvm::StringRef getArgument() const override {
    static const std::string name = "idle-" + std::to_string(kNumber);
    return name;
  }
  void runOnOperation() override { this->markAllAnalysesPreserved(); }
};

/// Shows the cost of calling an instrumentation.
struct IdleInstrumentation : mlir::PassInstrumentation {};

enum Contestant { None, Idle, Timing, Scopes, TimersAsScopes, kCount };
const char *const names[] = {"nothing", "an instrumentation that does nothing",
                             "-mlir-timing", "scopes", "timers as scopes"};

} // namespace

static double run(Contestant contestant, mlir::ModuleOp module, int passes) {
  mlir::MLIRContext *context = module.getContext();
  if (contestant >= Scopes)
    prof_scope_start(nullptr, nullptr);
  std::chrono::duration<double, std::nano> time;
  {
    passscope::ScopeTimingManager timers;
    mlir::DefaultTimingManager timing;
    timing.setEnabled(contestant == Timing);
    timing.setOutput(mlir::createOutputStrategy(
        mlir::DefaultTimingManager::OutputFormat::Text, llvm::nulls()));
    mlir::TimingScope root = contestant == TimersAsScopes
                                 ? timers.getRootScope()
                                 : timing.getRootScope();
    mlir::PassManager manager(context);
    mlir::OpPassManager &nested = manager.nest<mlir::func::FuncOp>();
    for (int index = 0; index < passes; index += 4) {
      nested.addPass(std::make_unique<IdlePass<0>>());
      nested.addPass(std::make_unique<IdlePass<1>>());
      nested.addPass(std::make_unique<IdlePass<2>>());
      nested.addPass(std::make_unique<IdlePass<3>>());
    }
    if (contestant == Timing || contestant == TimersAsScopes)
      manager.enableTiming(root);
    if (contestant == Idle)
      manager.addInstrumentation(std::make_unique<IdleInstrumentation>());
    if (contestant == Scopes)
      passscope::addPassScopes(manager);
    auto begin = std::chrono::steady_clock::now();
    if (failed(manager.run(module)))
      std::abort();
    time = std::chrono::steady_clock::now() - begin;
  }
  if (contestant >= Scopes)
    prof_scope_stop(nullptr);
  context->registerActionHandler(nullptr);
  return time.count();
}

/// Starts and stops timers of four names.
static void useTimers(mlir::TimingManager &manager, const char *name) {
  constexpr int kTimers = 4000;
  mlir::TimingScope root = manager.getRootScope();
  static const char ids[4] = {};
  auto begin = std::chrono::steady_clock::now();
  for (int index = 0; index < kTimers; ++index)
    mlir::TimingScope timer = root.nest(
        static_cast<const void *>(&ids[index % 4]),
        llvm::function_ref<std::string()>([] { return std::string("timer"); }));
  std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - begin;
  llvm::outs() << name << '\t' << time.count() / kTimers << '\n';
}

static void compareTimers() {
  mlir::DefaultTimingManager timing;
  timing.setEnabled(true);
  timing.setOutput(mlir::createOutputStrategy(
      mlir::DefaultTimingManager::OutputFormat::Text, llvm::nulls()));
  useTimers(timing, "MLIR's timer");
  prof_scope_start(nullptr, nullptr);
  passscope::ScopeTimingManager timers;
  useTimers(timers, "timer as a scope");
  prof_scope_stop(nullptr);
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  int functions = std::atoi(argv[1]), passes = std::atoi(argv[2]),
      rounds = std::atoi(argv[3]);
  mlir::MLIRContext context;
  context.enableMultithreading(std::atoi(argv[4]));
  context.loadDialect<mlir::func::FuncDialect>();
  std::string text;
  for (int index = 0; index < functions; ++index)
    text += "func.func @f" + std::to_string(index) + "() {\nreturn\n}\n";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context), "model.mlir");
  for (int round = 0; round < rounds; ++round) {
    for (int index = 0; index < kCount; ++index) {
      auto contestant = Contestant((index + round) % kCount);
      llvm::outs() << names[contestant] << '\t'
                   << run(contestant, *module, passes) / functions / passes
                   << '\n';
    }
    compareTimers();
  }
}
