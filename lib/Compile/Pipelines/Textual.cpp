//===- Textual.cpp - A pass pipeline as text ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;
using namespace mlirprof;

static void registerPassesOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerAllPasses();
    registerMLIRProfPasses();
    registerMLIRProfPipelines();
  });
}

/// What stands in "builtin.module(...)": a pass manager of modules would nest
/// another one for it, which runs on modules in the module and so on nothing.
static StringRef unwrapModule(StringRef text) {
  text = text.trim();
  StringRef inner = text;
  if (!inner.consume_front("builtin.module") || !inner.consume_back(")"))
    return text;
  inner = inner.ltrim();
  if (!inner.consume_front("("))
    return text;
  int depth = 0;
  for (char c : inner) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0)
      return text;
  }
  return inner;
}

static llvm::Error parseInto(OpPassManager &manager, StringRef text) {
  std::string messages;
  llvm::raw_string_ostream os(messages);
  if (succeeded(parsePassPipeline(text, manager, os)))
    return llvm::Error::success();
  return inputError("pipeline '" + text + "'", StringRef(messages).trim(),
                    "Give the name of a pipeline, passes as for mlir-opt's "
                    "--pass-pipeline, or a file that ends in .mlir.");
}

llvm::Expected<std::vector<PipelineStage>>
mlirprof::getTextualStages(StringRef text, const TargetModel &target) {
  registerPassesOnce();
  std::string passes = unwrapModule(text).str();
  OpPassManager trial(ModuleOp::getOperationName());
  if (llvm::Error error = parseInto(trial, passes))
    return std::move(error);
  std::vector<PipelineStage> stages = getNaiveStages(target);
  stages.insert(stages.begin(), {"custom", [passes](OpPassManager &manager) {
                                   return parseInto(manager, passes);
                                 }});
  return stages;
}
