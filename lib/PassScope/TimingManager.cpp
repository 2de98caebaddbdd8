//===- TimingManager.cpp - Timers as scopes -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/PassScope/PassScopes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <mutex>

using namespace mlirprof;
using namespace mlirprof::passscope;

/// Its address tells threads apart.
static thread_local char threadMark;

namespace {

/// One name below another one, on one thread.
struct Timer {
  Timer *parent = nullptr;
  /// That of threadMark.
  const char *thread = nullptr;
  prof_scope_site *site = nullptr;
  /// The scopes of those starts that were not stopped; `link` is the context of
  /// the parent, if that is of another thread.
  struct Running {
    prof_scope_token scope = {};
    prof_scope_token link = {};
  };
  llvm::SmallVector<Running, 1> running;
  /// Those of the same thread, the first few and the others.
  llvm::SmallVector<std::pair<const void *, Timer *>, 4> first;
  llvm::DenseMap<const void *, Timer *> others;
};

} // namespace

struct ScopeTimingManager::Timers {
  Timer *make(Timer *parent, llvm::StringRef name);

  int level = 0;
  Timer *root = nullptr;
  /// Guards what follows.
  std::mutex mutex;
  std::deque<Timer> timers;
  llvm::StringMap<prof_scope_site> sites;
  /// Those whose parent is of another thread.
  llvm::DenseMap<std::tuple<Timer *, const char *, const void *>, Timer *>
      elsewhere;
};

/// Under `mutex`.
Timer *ScopeTimingManager::Timers::make(Timer *parent, llvm::StringRef name) {
  auto [it, isNew] = sites.try_emplace(name);
  if (isNew) {
    prof_scope_site &site = it->second;
    site.name = it->getKeyData();
    site.type = uint16_t(scope::ScopeType::Pass);
    site.level = uint8_t(level);
  }
  Timer &timer = timers.emplace_back();
  timer.parent = parent;
  timer.thread = &threadMark;
  timer.site = &it->second;
  return &timer;
}

ScopeTimingManager::ScopeTimingManager(llvm::StringRef name,
                                       const PassScopeOptions &options)
    : timers(std::make_unique<Timers>()) {
  timers->level = options.level;
  timers->root = timers->make(nullptr, name);
}

ScopeTimingManager::~ScopeTimingManager() {
  for (Timer &timer : llvm::reverse(timers->timers))
    while (!timer.running.empty())
      stopTimer(&timer);
}

std::optional<void *> ScopeTimingManager::rootTimer() { return timers->root; }

void *
ScopeTimingManager::nestTimer(void *handle, const void *id,
                              llvm::function_ref<std::string()> nameBuilder) {
  Timer *parent = static_cast<Timer *>(handle);
  if (parent->thread != &threadMark) {
    std::lock_guard<std::mutex> lock(timers->mutex);
    Timer *&child = timers->elsewhere[{parent, &threadMark, id}];
    if (!child)
      child = timers->make(parent, nameBuilder());
    return child;
  }
  for (auto [key, child] : parent->first)
    if (key == id)
      return child;
  auto it = parent->others.find(id);
  if (it != parent->others.end())
    return it->second;
  Timer *child;
  {
    std::lock_guard<std::mutex> lock(timers->mutex);
    child = timers->make(parent, nameBuilder());
  }
  if (parent->first.size() < 4)
    parent->first.emplace_back(id, child);
  else
    parent->others.try_emplace(id, child);
  return child;
}

void ScopeTimingManager::startTimer(void *handle) {
  Timer *timer = static_cast<Timer *>(handle);
  Timer::Running running;
  if (prof_scope_is_on(timers->level)) {
    const Timer *parent = timer->parent;
    if (parent && parent->thread != &threadMark && !parent->running.empty())
      running.link =
          prof_scope_enter(prof_scope_context_of(parent->running.back().scope));
    running.scope = prof_scope_begin(timer->site);
  }
  timer->running.push_back(running);
}

void ScopeTimingManager::stopTimer(void *handle) {
  Timer *timer = static_cast<Timer *>(handle);
  if (timer->running.empty())
    return;
  Timer::Running running = timer->running.pop_back_val();
  if (running.scope.thread)
    prof_scope_end(running.scope);
  if (running.link.thread)
    prof_scope_end(running.link);
}
