//===- Textual.cpp - A pass pipeline as text ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipelines.h"
#include "Stages.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Suggest.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;
using namespace mlirprof::transforms;

static void registerPassesOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerAllPasses();
    registerMLIRProfPasses();
    registerMLIRProfCodegenPasses();
  });
}

/// The content of "builtin.module(...)": a pass manager of modules would nest
/// another one for it, which would run on modules nested in the module, and
/// thus on none.
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

/// The passes of `text` that are not nested in another pass.
static SmallVector<StringRef> splitPasses(StringRef text) {
  SmallVector<StringRef> passes;
  int depth = 0;
  char quote = 0;
  size_t begin = 0;
  for (auto [index, c] : llvm::enumerate(text)) {
    if (quote || c == '"' || c == '\'')
      quote = !quote ? c : quote == c ? 0 : quote;
    else if (StringRef("({").contains(c))
      ++depth;
    else if (StringRef(")}").contains(c))
      --depth;
    else if (c == ',' && depth == 0) {
      passes.push_back(text.slice(begin, index));
      begin = index + 1;
    }
  }
  passes.push_back(text.drop_front(begin));
  return passes;
}

/// `text` without prof-identify, with which pipelines of mlir-opt begin: here
/// ops get their identities before the first pass.
static std::string dropIdentify(StringRef text) {
  SmallVector<StringRef> passes = splitPasses(text);
  llvm::erase_if(passes,
                 [](StringRef pass) { return pass.trim() == "prof-identify"; });
  return llvm::join(passes, ",");
}

/// An error about `text`, which should name a pipeline or passes.
static llvm::Error makeError(StringRef text, const Twine &problem) {
  auto names = llvm::map_range(
      getPipelines(), [](const Pipeline &pipeline) { return pipeline.name; });
  return inputError("pipeline '" + text + "'", problem,
                    "There are " + llvm::join(names, ", ") +
                        "; passes are written as for mlir-opt's "
                        "--pass-pipeline, and a schedule is a file that ends "
                        "in .mlir.");
}

/// Whether `text` can only be meant as one name, and nothing has it.
static bool isUnknownName(StringRef text) {
  return llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '-'; }) &&
         !PassPipelineInfo::lookup(text) && !PassInfo::lookup(text);
}

static llvm::Error parseInto(OpPassManager &manager, StringRef text) {
  std::string messages;
  llvm::raw_string_ostream os(messages);
  if (succeeded(parsePassPipeline(text, manager, os)))
    return llvm::Error::success();
  if (!isUnknownName(text))
    return makeError(text, StringRef(messages).trim());
  std::vector<std::string> names;
  for (const Pipeline &pipeline : getPipelines())
    names.push_back(pipeline.name.str());
  return makeError(text, "is not a pipeline or pass" + suggest(text, names));
}

llvm::Expected<std::vector<PipelineStage>>
compile::getTextualStages(StringRef text, const TargetModel &target) {
  registerPassesOnce();
  std::string passes = dropIdentify(unwrapModule(text));
  OpPassManager trial(ModuleOp::getOperationName());
  if (llvm::Error error = parseInto(trial, passes))
    return std::move(error);
  std::vector<PipelineStage> stages = pipeline::Naive().getStages(target);
  stages.insert(stages.begin(), {"custom", [passes](OpPassManager &manager) {
                                   return parseInto(manager, passes);
                                 }});
  return stages;
}
