//===- PassScopes.h - Passes as scopes --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scopes of passes, for any driver: a PassInstrumentation, and a TimingManager
// for drivers that time their own phases with MLIR's timers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PASSSCOPE_PASSSCOPES_H
#define MLIR_PROF_PASSSCOPE_PASSSCOPES_H

#include "mlir-prof/Scope/Scope.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Support/Timing.h"

#include <memory>

namespace mlir {
class MLIRContext;
class PassManager;
} // namespace mlir

namespace mlirprof::passscope {

struct PassScopeOptions {
  /// That of all its scopes.
  int level = scope::kDefaultLevel;
};

/// An instrumentation whose scopes are: the run of a pass, named by its
/// argument, or by its class if it does not have one, with the type
/// ScopeType::Pass; in it the op on which it runs, named like
/// `func.func @main`, with the file and line of its location and the type
/// ScopeType::Operator; in it what the pass does: analyses, named by their
/// class, pipelines, named like `func.func pipeline`, and their passes. Passes
/// that a pass manager runs on other threads are children of the pipeline. The
/// names of analyses, pipelines and the verifier have the role
/// ScopeRole::InnerOp.
std::unique_ptr<mlir::PassInstrumentation>
makePassInstrumentation(const PassScopeOptions &options = {});

/// Makes scopes `verify` of the verifier's runs after passes of pass managers
/// that have the instrumentation, with its level. Call it before they run, and
/// only where passes are verified: scopes of those that are not would be empty.
///
/// The scopes need the context's action handler, of which there is one. It
/// stays in the context, also without a session and after the pass managers, so
/// that every action (each application of a pattern is one) passes through it;
/// registerActionHandler(nullptr) removes it. A second call adds nothing and
/// returns true. False if the context has another handler, which stays; then
/// the verifier's time is that of the op.
bool addVerifierScopes(mlir::MLIRContext &context);

/// Adds both to `manager`, the verifier's scopes if `verifiesPasses`
/// (PassManager::enableVerifier). False if those of the verifier could not be
/// added.
bool addPassScopes(mlir::PassManager &manager, bool verifiesPasses = true,
                   const PassScopeOptions &options = {});

/// Timers whose scopes hang below each other as the timers do, also when they
/// run on other threads: for drivers that pass a TimingScope around, and for
/// PassManager::enableTiming. Has neither ops nor locations; with
/// addPassScopes() in the same pass manager, do without enableTiming().
class ScopeTimingManager : public mlir::TimingManager {
public:
  /// `name` is that of the root's scope.
  explicit ScopeTimingManager(llvm::StringRef name = "compile",
                              const PassScopeOptions &options = {});
  ~ScopeTimingManager() override;

protected:
  std::optional<void *> rootTimer() override;
  void startTimer(void *handle) override;
  void stopTimer(void *handle) override;
  void *nestTimer(void *handle, const void *id,
                  llvm::function_ref<std::string()> nameBuilder) override;

private:
  struct Timers;
  std::unique_ptr<Timers> timers;
};

} // namespace mlirprof::passscope

#endif // MLIR_PROF_PASSSCOPE_PASSSCOPES_H
