//===- PgoPipeline.cpp - prof-pgo-pipeline --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlirprof;

void mlirprof::buildPgoPipeline(OpPassManager &manager,
                                const PgoPipelineOptions &options) {
  if (!options.enableProfile)
    return;
  ProfAnnotateOptions annotate;
  annotate.profile = options.profile;
  annotate.carrier = Carrier::Location;
  manager.addPass(createProfAnnotate(annotate));
}

namespace {
/// PgoPipelineOptions as text.
struct TextOptions : PassPipelineOptions<TextOptions> {
  Option<std::string> profile{
      *this, "profile", llvm::cl::desc("Recording or *.mlprof file to use")};
  Option<std::string> pathToProfile{*this, "path-to-profile",
                                    llvm::cl::desc("The same as profile")};
  Option<bool> enableProfile{
      *this, "enable-profile",
      llvm::cl::desc("Use the profile; without it the pipeline is empty"),
      llvm::cl::init(true)};
};
} // namespace

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
  options.enableProfile = parsed.enableProfile;
  buildPgoPipeline(manager, options);
  return success();
}

void mlirprof::registerMLIRProfPipelines() {
  registerPassPipeline(
      "prof-pgo-pipeline",
      "Use a profile: carry it through compilation, and optimise by it",
      addPipeline, [](function_ref<void(const detail::PassOptions &)> handler) {
        handler(TextOptions());
      });
}
