//===- PassScopes.cpp - Passes as scopes ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass manager calls its instrumentations under a lock: state that only these
// calls touch does not need one of its own.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/PassScope/PassScopes.h"
#include "Sites.h"
#include "mlir/IR/Action.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Threading.h"

#include <map>
#include <mutex>

using namespace mlirprof;
using namespace mlirprof::passscope;
using scope::ScopeRole;
using scope::ScopeType;

namespace {

enum class OpenKind : uint8_t { Pass, Analysis, Pipeline };

struct OpenStack;

/// A run of a pass, an analysis or a pipeline.
struct Open {
  OpenKind kind = OpenKind::Pass;
  bool isAdaptor = false;
  /// Whether its passes live only as long as a pass runs, so that another one
  /// may have its address later.
  bool isDynamic = false;
  const mlir::Pass *pass = nullptr;
  const mlir::Operation *op = nullptr;
  /// For a pipeline, the site of `op`, once a pass has asked for it: passes do
  /// not change the name of the op on which they run.
  prof_scope_site *opSite = nullptr;
  /// The scope of the pass or analysis and that of the op in it; for a
  /// pipeline, the context.
  prof_scope_token tokens[2] = {};
  prof_scope_token verifier = {};
  OpenStack *previous = nullptr;
};

/// One thread of one instrumentation.
struct OpenStack {
  uint64_t thread = 0;
  /// The site of the verifier, with the level of the instrumentation.
  prof_scope_site *verifier = nullptr;
  std::vector<Open> entries;
};

class PassScopes final : public mlir::PassInstrumentation {
public:
  explicit PassScopes(const PassScopeOptions &options)
      : level(options.level), sites(options.level) {}
  ~PassScopes() override;

  void runBeforePipeline(std::optional<mlir::OperationName> name,
                         const PipelineParentInfo &parent) override;
  void runAfterPipeline(std::optional<mlir::OperationName> name,
                        const PipelineParentInfo &parent) override;
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;
  void runBeforeAnalysis(llvm::StringRef name, mlir::TypeID id,
                         mlir::Operation *op) override;
  void runAfterAnalysis(llvm::StringRef name, mlir::TypeID id,
                        mlir::Operation *op) override;

private:
  OpenStack &getStack();
  const Open *find(const PipelineParentInfo &parent);
  prof_scope_site &getSite(const mlir::Pass &pass, const Open &open,
                           const OpenStack &stack);
  prof_scope_site &getOpSite(mlir::Operation &op, OpenStack &stack);
  void popPass(OpenStack &stack, const mlir::Pass *pass);

  int level;
  Sites sites;
  llvm::DenseMap<uint64_t, std::unique_ptr<OpenStack>> stacks;
  /// Unlike that of any other instrumentation.
  uint64_t number = nextNumber.fetch_add(1, std::memory_order_relaxed);
  static std::atomic<uint64_t> nextNumber;
};

/// The stack of a thread that was used last.
struct CachedStack {
  uint64_t number = 0;
  OpenStack *stack = nullptr;
};

} // namespace

std::atomic<uint64_t> PassScopes::nextNumber = 1;

static thread_local CachedStack cached;
/// The stack with the innermost pass of the thread.
static thread_local OpenStack *innermost = nullptr;

/// Ends the scopes of the last entry, and removes it.
static void pop(OpenStack &stack) {
  Open &last = stack.entries.back();
  if (last.verifier.thread)
    prof_scope_end(last.verifier);
  prof_scope_end_pair(last.tokens);
  if (last.kind == OpenKind::Pass)
    innermost = last.previous;
  stack.entries.pop_back();
}

PassScopes::~PassScopes() {
  auto it = stacks.find(llvm::get_threadid());
  if (it != stacks.end())
    while (!it->second->entries.empty())
      pop(*it->second);
}

OpenStack &PassScopes::getStack() {
  if (cached.number == number)
    return *cached.stack;
  uint64_t thread = llvm::get_threadid();
  std::unique_ptr<OpenStack> &stack = stacks[thread];
  if (!stack) {
    stack = std::make_unique<OpenStack>();
    stack->thread = thread;
    stack->verifier = &sites.getVerifier();
  }
  cached = {number, stack.get()};
  return *stack;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// The pass that runs a pipeline, while it runs.
const Open *PassScopes::find(const PipelineParentInfo &parent) {
  auto it = stacks.find(parent.parentThreadID);
  if (it == stacks.end())
    return nullptr;
  for (const Open &open : llvm::reverse(it->second->entries))
    if (open.kind == OpenKind::Pass && open.pass == parent.parentPass)
      return &open;
  return nullptr;
}

void PassScopes::runBeforePipeline(std::optional<mlir::OperationName>,
                                   const PipelineParentInfo &parent) {
  OpenStack &stack = getStack();
  const Open *spawner = find(parent);
  Open open;
  open.kind = OpenKind::Pipeline;
  open.isDynamic = !spawner || spawner->isDynamic || !spawner->isAdaptor;
  // Scopes of the same thread are in it anyway.
  if (spawner && parent.parentThreadID != stack.thread)
    open.tokens[0] = prof_scope_enter(prof_scope_context_of(
        spawner->tokens[spawner->tokens[1].thread ? 1 : 0]));
  stack.entries.push_back(open);
}

void PassScopes::runAfterPipeline(std::optional<mlir::OperationName>,
                                  const PipelineParentInfo &) {
  OpenStack &stack = getStack();
  if (!stack.entries.empty() && stack.entries.back().kind == OpenKind::Pipeline)
    pop(stack);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

prof_scope_site &PassScopes::getSite(const mlir::Pass &pass, const Open &open,
                                     const OpenStack &stack) {
  if (open.isAdaptor)
    return sites.getPipeline(pass, !open.isDynamic && !stack.entries.empty());
  llvm::StringRef name = pass.getArgument();
  return sites.getNamed(pass.getTypeID(), name.empty() ? pass.getName() : name,
                        ScopeRole::Ordinary);
}

prof_scope_site &PassScopes::getOpSite(mlir::Operation &op, OpenStack &stack) {
  if (stack.entries.empty() || stack.entries.back().kind != OpenKind::Pipeline)
    return sites.getOp(op);
  Open &pipeline = stack.entries.back();
  if (pipeline.op != &op) {
    pipeline.op = &op;
    pipeline.opSite = &sites.getOp(op);
  }
  return *pipeline.opSite;
}

void PassScopes::runBeforePass(mlir::Pass *pass, mlir::Operation *op) {
  OpenStack &stack = getStack();
  Open open;
  open.isAdaptor = isAdaptor(*pass);
  open.pass = pass;
  open.op = op;
  open.previous = innermost;
  innermost = &stack;
  if (stack.entries.empty())
    sites.beginRun();
  else
    open.isDynamic = stack.entries.back().isDynamic;
  if (prof_scope_is_on(level)) {
    prof_scope_site &site = getSite(*pass, open, stack);
    prof_scope_begin_pair(&site, &getOpSite(*op, stack), open.tokens);
  }
  stack.entries.push_back(open);
}

/// Ends everything down to the last run of `pass`.
void PassScopes::popPass(OpenStack &stack, const mlir::Pass *pass) {
  auto isRun = [&](const Open &open) { return open.pass == pass; };
  if (llvm::none_of(llvm::reverse(stack.entries), isRun))
    return;
  while (!isRun(stack.entries.back()))
    pop(stack);
  pop(stack);
}

void PassScopes::runAfterPass(mlir::Pass *pass, mlir::Operation *) {
  popPass(getStack(), pass);
}

void PassScopes::runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) {
  OpenStack &stack = getStack();
  popPass(stack, pass);
  // A pipeline whose pass fails ends without a call.
  if (!stack.entries.empty() && stack.entries.back().kind == OpenKind::Pipeline)
    pop(stack);
}

//===----------------------------------------------------------------------===//
// Analyses
//===----------------------------------------------------------------------===//

void PassScopes::runBeforeAnalysis(llvm::StringRef name, mlir::TypeID id,
                                   mlir::Operation *op) {
  OpenStack &stack = getStack();
  Open open;
  open.kind = OpenKind::Analysis;
  open.op = op;
  if (!stack.entries.empty())
    open.isDynamic = stack.entries.back().isDynamic;
  if (prof_scope_is_on(level)) {
    prof_scope_site &site = sites.getNamed(id, name, ScopeRole::InnerOp);
    // Most are of the op of the pass.
    if (!stack.entries.empty() && stack.entries.back().op == op)
      open.tokens[0] = prof_scope_begin(&site);
    else
      prof_scope_begin_pair(&site, &sites.getOp(*op), open.tokens);
  }
  stack.entries.push_back(open);
}

void PassScopes::runAfterAnalysis(llvm::StringRef, mlir::TypeID,
                                  mlir::Operation *) {
  OpenStack &stack = getStack();
  if (!stack.entries.empty() && stack.entries.back().kind == OpenKind::Analysis)
    pop(stack);
}

std::unique_ptr<mlir::PassInstrumentation>
passscope::makePassInstrumentation(const PassScopeOptions &options) {
  return std::make_unique<PassScopes>(options);
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

namespace {

/// Lends the name of a protected function of all passes.
struct PassState : mlir::Pass {
  static mlir::detail::PassExecutionState &get(const mlir::Pass &pass) {
    auto getState = &PassState::getPassState;
    return (const_cast<mlir::Pass &>(pass).*getState)();
  }
};

} // namespace

/// Whether the pass manager verifies the op after `pass`, if it verifies.
static bool isVerified(const mlir::Pass &pass) {
  const mlir::detail::PassExecutionState &state = PassState::get(pass);
  return !state.irAndPassFailed.getInt() && !state.preservedAnalyses.isAll();
}

/// Runs a pass, after which the verifier follows until the instrumentation is
/// told of the end of the pass.
static void runAction(llvm::function_ref<void()> run,
                      const mlir::tracing::Action &action) {
  run();
  auto *execution = llvm::dyn_cast<mlir::PassExecutionAction>(&action);
  if (!execution || !innermost || innermost->entries.empty())
    return;
  Open &open = innermost->entries.back();
  if (open.kind != OpenKind::Pass || open.pass != &execution->getPass() ||
      !open.tokens[0].thread || !isVerified(*open.pass))
    return;
  prof_scope_site &site = *innermost->verifier;
  if (prof_scope_is_on(site.level))
    open.verifier = prof_scope_begin(&site);
}

/// Remembers contexts by what lives as long as their handler does, since a
/// context does not tell its handler.
static bool hasOwnHandler(mlir::MLIRContext &context,
                          const std::shared_ptr<int> &made) {
  static std::mutex mutex;
  static std::map<mlir::MLIRContext *, std::weak_ptr<int>> handlers;
  std::lock_guard<std::mutex> guard(mutex);
  for (auto it = handlers.begin(); it != handlers.end();)
    it = it->second.expired() ? handlers.erase(it) : std::next(it);
  if (made)
    handlers[&context] = made;
  return handlers.count(&context);
}

bool passscope::addVerifierScopes(mlir::MLIRContext &context) {
  if (context.hasActionHandler())
    return hasOwnHandler(context, nullptr);
  auto lifetime = std::make_shared<int>();
  context.registerActionHandler(
      [lifetime](llvm::function_ref<void()> run,
                 const mlir::tracing::Action &action) {
        runAction(run, action);
      });
  return hasOwnHandler(context, lifetime);
}

bool passscope::addPassScopes(mlir::PassManager &manager, bool verifiesPasses,
                              const PassScopeOptions &options) {
  manager.addInstrumentation(makePassInstrumentation(options));
  return !verifiesPasses || addVerifierScopes(*manager.getContext());
}
