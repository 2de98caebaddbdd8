//===- PassScopesTest.cpp - Tests of scopes of passes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/PassScope/PassScopes.h"
#include "../Scope/ReadScopes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <map>
#include <mutex>

using namespace mlirprof;
using namespace mlirprof::passscope;
using scope::Recording;
using scope::ScopeEvent;

namespace {

/// Runs of a pass on an op.
using Runs = std::map<std::pair<std::string, std::string>, int>;

/// Counts, as a pass manager tells any instrumentation.
struct CountingInstrumentation : mlir::PassInstrumentation {
  explicit CountingInstrumentation(Runs &runs) : runs(runs) {}
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument().empty())
      return;
    std::string name = op->getName().getStringRef().str();
    if (auto symbol = op->getAttrOfType<mlir::StringAttr>("sym_name"))
      name += " @" + symbol.str();
    ++runs[{pass->getArgument().str(), name}];
  }
  Runs &runs;
};

template <typename Derived, typename OpT = mlir::func::FuncOp>
struct TestPass : mlir::PassWrapper<Derived, mlir::OperationPass<OpT>> {
  llvm::StringRef getArgument() const override { return Derived::kName; }
};

/// Renames nothing, but does not say so: the verifier runs.
struct ChangePass : TestPass<ChangePass> {
  static constexpr const char *kName = "test-change";
  void runOnOperation() override {}
};

struct KeepPass : TestPass<KeepPass> {
  static constexpr const char *kName = "test-keep";
  void runOnOperation() override { markAllAnalysesPreserved(); }
};

/// Fails on @bad.
struct FailPass : TestPass<FailPass> {
  static constexpr const char *kName = "test-fail";
  void runOnOperation() override {
    if (getOperation().getName() == "bad")
      signalPassFailure();
  }
};

/// Leaves functions without a terminator.
struct BreakPass : TestPass<BreakPass> {
  static constexpr const char *kName = "test-break";
  void runOnOperation() override {
    getOperation().getBody().front().back().erase();
  }
};

struct AnalyzePass : TestPass<AnalyzePass> {
  static constexpr const char *kName = "test-analyze";
  void runOnOperation() override {
    getAnalysis<mlir::DominanceInfo>();
    // Is there already.
    getAnalysis<mlir::DominanceInfo>();
    markAllAnalysesPreserved();
  }
};

/// Runs a pipeline on each function.
struct DynamicPass : TestPass<DynamicPass, mlir::ModuleOp> {
  static constexpr const char *kName = "test-dynamic";
  void runOnOperation() override {
    for (auto function : getOperation().getOps<mlir::func::FuncOp>()) {
      mlir::OpPassManager pipeline("func.func");
      pipeline.addPass(std::make_unique<ChangePass>());
      if (failed(runPipeline(pipeline, function)))
        signalPassFailure();
    }
  }
};

/// Runs a pass manager of its own on a copy of the module.
struct OwnManagerPass : TestPass<OwnManagerPass, mlir::ModuleOp> {
  static constexpr const char *kName = "test-own-manager";
  void runOnOperation() override {
    mlir::OwningOpRef<mlir::ModuleOp> copy = getOperation().clone();
    mlir::PassManager manager(&getContext());
    manager.addInstrumentation(makePassInstrumentation());
    manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<ChangePass>());
    if (failed(manager.run(*copy)))
      signalPassFailure();
  }
};

/// Begins to record.
struct StartPass : TestPass<StartPass, mlir::ModuleOp> {
  static constexpr const char *kName = "test-start";
  void runOnOperation() override { prof_scope_start(nullptr, nullptr); }
};

/// A module in a session that records scopes.
class PassScopes : public testing::Test {
protected:
  PassScopes() {
    context.loadDialect<mlir::func::FuncDialect>();
    context.disableMultithreading();
  }

  void parse(const std::vector<std::string> &functions) {
    std::string text;
    for (const std::string &name : functions)
      text += "func.func @" + name + "() {\n  return\n}\n";
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context), "model.mlir");
    ASSERT_TRUE(module);
  }

  /// Runs `manager` with scopes, and reads them.
  Recording run(mlir::PassManager &manager, bool succeeds = true) {
    manager.addInstrumentation(
        std::make_unique<CountingInstrumentation>(counted));
    addPassScopes(manager);
    prof_scope_start(nullptr, nullptr);
    mlir::ScopedDiagnosticHandler quiet(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    EXPECT_EQ(succeeded(manager.run(*module)), succeeds);
    prof_scope_stop(nullptr);
    return scope::readScopes();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Runs counted;
};

} // namespace

/// The names from the outermost scope to `event`, with / between them.
static std::string getPath(const Recording &recording,
                           const ScopeEvent &event) {
  std::string parent =
      event.parent == scope::kNoScope
          ? ""
          : getPath(recording, recording.events[event.parent]) + "/";
  return parent + recording.sites[event.site].name;
}

static std::map<std::string, int> countPaths(const Recording &recording) {
  std::map<std::string, int> paths;
  for (const ScopeEvent &event : recording.events) {
    EXPECT_EQ(event.end, scope::EventEnd::Ended);
    ++paths[getPath(recording, event)];
  }
  return paths;
}

/// The runs that scopes of passes and of the ops in them tell.
static Runs findRuns(const Recording &recording) {
  Runs runs;
  for (const ScopeEvent &event : recording.events) {
    const scope::Site &site = recording.sites[event.site];
    if (scope::ScopeType(site.type) != scope::ScopeType::Operator)
      continue;
    EXPECT_NE(event.parent, scope::kNoScope);
    const scope::Site &pass =
        recording.sites[recording.events[event.parent].site];
    EXPECT_EQ(scope::ScopeType(pass.type), scope::ScopeType::Pass);
    if (pass.role == uint8_t(scope::ScopeRole::Ordinary))
      ++runs[{pass.name, site.name}];
  }
  return runs;
}

TEST_F(PassScopes, AreNamedByPassThenOp) {
  parse({"f", "g"});
  mlir::PassManager manager(&context);
  manager.addPass(mlir::createSymbolDCEPass());
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<KeepPass>());
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<ChangePass>());
  Recording recording = run(manager);
  std::string inside = "func.func pipeline/builtin.module/";
  std::map<std::string, int> expected = {
      {"symbol-dce", 1},
      {"symbol-dce/builtin.module", 1},
      {"symbol-dce/builtin.module/verify", 1},
      {"func.func pipeline", 1},
      {"func.func pipeline/builtin.module", 1},
      {inside + "test-keep", 2},
      {inside + "test-keep/func.func @f", 1},
      {inside + "test-keep/func.func @g", 1},
      {inside + "test-change", 2},
      {inside + "test-change/func.func @f", 1},
      {inside + "test-change/func.func @f/verify", 1},
      {inside + "test-change/func.func @g", 1},
      {inside + "test-change/func.func @g/verify", 1},
      {inside + "verify", 1},
  };
  EXPECT_EQ(countPaths(recording), expected);
  EXPECT_TRUE(recording.losses.empty());
  EXPECT_EQ(findRuns(recording), counted);
  for (const ScopeEvent &event : scope::findEvents(recording, "func.func @g")) {
    const scope::Site &site = recording.sites[event.site];
    EXPECT_EQ(site.file, "model.mlir");
    EXPECT_EQ(site.line, 4u);
  }
}

TEST_F(PassScopes, ShowAnalyses) {
  parse({"f"});
  mlir::PassManager manager(&context);
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<AnalyzePass>());
  Recording recording = run(manager);
  std::map<std::string, int> paths = countPaths(recording);
  EXPECT_EQ(paths["func.func pipeline/builtin.module/test-analyze/"
                  "func.func @f/DominanceInfo"],
            1);
}

TEST_F(PassScopes, OfOtherThreadsHangBelowTheirPipeline) {
  std::vector<std::string> names;
  for (int i = 0; i < 400; ++i)
    names.push_back("f" + std::to_string(i));
  parse(names);
  context.enableMultithreading();
  mlir::PassManager manager(&context);
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<ChangePass>());
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<KeepPass>());
  manager.addPass(mlir::createSymbolDCEPass());
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<ChangePass>());
  Recording recording = run(manager);
  EXPECT_EQ(findRuns(recording), counted);
  std::map<std::string, int> paths = countPaths(recording);
  std::string inside = "func.func pipeline/builtin.module/";
  EXPECT_EQ(paths[inside + "test-change"], 800);
  EXPECT_EQ(paths[inside + "test-keep"], 400);
  for (const std::string &name : names)
    EXPECT_EQ(paths[inside + "test-change/func.func @" + name + "/verify"], 2);
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(PassScopes, EndWhenPassesFail) {
  parse({"good", "bad", "late"});
  for (bool isThreaded : {false, true}) {
    counted.clear();
    context.enableMultithreading(isThreaded);
    mlir::PassManager manager(&context);
    manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<FailPass>());
    manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<KeepPass>());
    manager.addPass(mlir::createSymbolDCEPass());
    Recording recording = run(manager, /*succeeds=*/false);
    EXPECT_EQ(findRuns(recording), counted);
    std::map<std::string, int> paths = countPaths(recording);
    std::string inside = "func.func pipeline/builtin.module/";
    EXPECT_EQ(paths[inside + "test-fail/func.func @bad"], 1);
    EXPECT_EQ(paths.count(inside + "test-keep/func.func @bad"), 0u);
    EXPECT_EQ(paths.count("symbol-dce"), 0u);
    // Nothing is in what had failed.
    for (const auto &[path, count] : paths)
      EXPECT_FALSE(llvm::StringRef(path).contains("@bad/")) << path;
    EXPECT_TRUE(recording.losses.empty());
  }
}

TEST_F(PassScopes, EndWhenTheVerifierFails) {
  parse({"f"});
  mlir::PassManager manager(&context);
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<BreakPass>());
  Recording recording = run(manager, /*succeeds=*/false);
  std::map<std::string, int> paths = countPaths(recording);
  EXPECT_EQ(paths["func.func pipeline/builtin.module/test-break/"
                  "func.func @f/verify"],
            1);
}

TEST_F(PassScopes, ShowPipelinesInsidePasses) {
  parse({"f", "g"});
  mlir::PassManager manager(&context);
  manager.addPass(std::make_unique<DynamicPass>());
  manager.addPass(std::make_unique<OwnManagerPass>());
  Recording recording = run(manager);
  std::map<std::string, int> paths = countPaths(recording);
  EXPECT_EQ(
      paths["test-dynamic/builtin.module/test-change/func.func @f/verify"], 1);
  EXPECT_EQ(paths["test-dynamic/builtin.module/test-change/func.func @g"], 1);
  EXPECT_EQ(paths["test-own-manager/builtin.module/func.func pipeline/"
                  "builtin.module/test-change/func.func @f/verify"],
            1);
  EXPECT_EQ(paths["test-own-manager/builtin.module/verify"], 1);
}

TEST_F(PassScopes, LeaveAnotherActionHandlerAlone) {
  parse({"f"});
  int actions = 0;
  context.registerActionHandler(
      [&](llvm::function_ref<void()> run, const mlir::tracing::Action &) {
        ++actions;
        run();
      });
  EXPECT_FALSE(addVerifierScopes(context));
  mlir::PassManager manager(&context);
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<ChangePass>());
  Recording recording = run(manager);
  EXPECT_EQ(actions, 2);
  EXPECT_TRUE(scope::findEvents(recording, "verify").empty());
  EXPECT_EQ(findRuns(recording), counted);
}

TEST_F(PassScopes, OfTheVerifierHaveAHandlerAndALevel) {
  parse({"f"});
  EXPECT_TRUE(addVerifierScopes(context));
  mlir::PassManager manager(&context);
  PassScopeOptions options;
  options.level = 3;
  EXPECT_TRUE(addPassScopes(manager, /*verifiesPasses=*/true, options));
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<ChangePass>());
  for (int level : {3, 2}) {
    prof_scope_options recorded = PROF_SCOPE_OPTIONS;
    recorded.level = level;
    prof_scope_start(&recorded, nullptr);
    ASSERT_TRUE(succeeded(manager.run(*module)));
    prof_scope_stop(nullptr);
    Recording recording = scope::readScopes();
    EXPECT_EQ(recording.events.empty(), level == 2);
    EXPECT_EQ(scope::findEvents(recording, "verify").empty(), level == 2);
  }
  // Its own handler is gone.
  context.registerActionHandler([](llvm::function_ref<void()> run,
                                   const mlir::tracing::Action &) { run(); });
  EXPECT_FALSE(addVerifierScopes(context));
  context.registerActionHandler(nullptr);
  EXPECT_TRUE(addVerifierScopes(context));
}

TEST_F(PassScopes, OfASessionThatBeginsWithinAPass) {
  parse({"f"});
  mlir::PassManager manager(&context);
  EXPECT_TRUE(addPassScopes(manager));
  manager.addPass(std::make_unique<StartPass>());
  manager.addNestedPass<mlir::func::FuncOp>(std::make_unique<KeepPass>());
  ASSERT_TRUE(succeeded(manager.run(*module)));
  prof_scope_stop(nullptr);
  Recording recording = scope::readScopes();
  std::map<std::string, int> paths = countPaths(recording);
  EXPECT_EQ(paths.count("test-start"), 0u);
  EXPECT_EQ(paths["func.func pipeline/builtin.module/test-keep/func.func @f"],
            1);
  EXPECT_TRUE(recording.losses.empty());
}

/// The example of docs/scopes.md: a driver records what its passes do.
static llvm::LogicalResult compileModule(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  passscope::addPassScopes(manager);
  manager.addPass(mlir::createCanonicalizerPass());
  PROF_SCOPE("compile");
  return manager.run(module);
}

TEST_F(PassScopes, HangBelowTheDriversScopes) {
  parse({"f"});
  prof_scope_start(nullptr, nullptr);
  ASSERT_TRUE(succeeded(compileModule(*module)));
  prof_scope_stop(nullptr);
  std::map<std::string, int> paths = countPaths(scope::readScopes());
  EXPECT_EQ(paths["compile/canonicalize/builtin.module"], 1);
}
