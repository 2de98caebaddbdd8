//===- mlir-prof-opt.cpp - mlir-opt with mlir-prof's passes ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Optimize/Passes.h"
#include "mlir-prof/PassScope/PassScopes.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlirprof;

static llvm::cl::opt<std::string> scopesFile(
    "scopes",
    llvm::cl::desc("Write the runs of passes, analyses and the verifier as "
                   "scopes, which mlir-prof import reads"),
    llvm::cl::value_desc("file"));

/// Does what mlir::MlirOptMain does with these files, with scopes of passes.
static llvm::LogicalResult runWithScopes(llvm::StringRef inputName,
                                         llvm::StringRef outputName,
                                         mlir::DialectRegistry &registry) {
  auto base = mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::MlirOptMainConfig config = base;
  config.setPassPipelineSetupFn([&base](mlir::PassManager &manager) {
    if (!passscope::addPassScopes(manager, base.shouldVerifyPasses()))
      llvm::errs() << "warning: --scopes: without scopes of the verifier, "
                      "since another option handles the context's actions\n";
    return base.setupPassPipeline(manager);
  });
  std::string message;
  auto input = mlir::openInputFile(inputName, &message);
  auto output = input ? mlir::openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << '\n';
    return llvm::failure();
  }
  PROF_SCOPE_AS("mlir-prof-opt", scope::ScopeType::Pass, scope::kDefaultLevel,
                scope::ScopeRole::Ordinary);
  if (failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return llvm::failure();
  output->keep();
  return llvm::success();
}

/// Records scopes of `work` in the file of the option, also if it fails.
static llvm::LogicalResult
recordScopes(llvm::function_ref<llvm::LogicalResult()> work) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = scopesFile.c_str();
  if (int error = prof_scope_start(&options, nullptr)) {
    bool isOther = error == EEXIST;
    llvm::errs() << scopesFile << ": cannot be written: "
                 << (isOther ? "it is not a regular file"
                             : std::generic_category().message(error))
                 << '\n';
    prof_scope_stop(nullptr);
    return llvm::failure();
  }
  llvm::LogicalResult result = work();
  prof_scope_stop(nullptr);
  return result;
}

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlirprof::transforms::registerMLIRProfPasses();
  mlirprof::codegen::registerMLIRProfCodegenPasses();
  mlirprof::optimize::registerOptimizePasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlirprof::cpu::CpuDialect>();
  mlirprof::prof::registerProfDialect(registry);
  mlirprof::dispatch::registerDispatchDialect(registry);

  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "MLIR optimizer driver with mlir-prof\n", registry);
  if (scopesFile.getNumOccurrences() && scopesFile.empty()) {
    llvm::errs() << "error: --scopes needs the name of a file\n";
    return mlir::asMainReturnCode(llvm::failure());
  }
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (scopesFile.empty() || config.shouldShowDialects() ||
      config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return mlir::asMainReturnCode(recordScopes([&, &in = input, &out = output] {
    return runWithScopes(in, out, registry);
  }));
}
