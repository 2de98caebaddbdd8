//===- Scope.cpp - Stacks of scopes ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Scope.h"
#include "../Scopes/Processes.h"
#include "Stacks.h"
#include "mlir-prof/Report/ModelCalls.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::kNoScope;
using scope::Recording;
using scope::ScopeEvent;

namespace {

/// The scopes of one run as stacks: its process if there are several, below
/// those that forked it; its thread if there are several; then names.
class ScopeStacks {
public:
  /// `processes` are the names of its process and of those around it.
  ScopeStacks(const Recording &recording, llvm::ArrayRef<std::string> processes,
              report::ModelCalls &models, StackTree &tree);
  void charge();

private:
  struct Path {
    uint32_t parent = kNone;
    /// Index into Recording::sites, or of a thread for an outermost path.
    uint32_t entry = 0;
    uint32_t depth = 0;
    int64_t selfPs = 0;
    uint64_t count = 0;
  };

  uint32_t getPath(uint32_t event);
  uint32_t addPath(uint32_t parent, uint32_t entry);
  void charge(const Path &path, llvm::SmallVectorImpl<uint32_t> &stack);

  const Recording &recording;
  report::ModelCalls &models;
  StackTree &tree;
  llvm::SmallVector<uint32_t> processes;
  bool hasThreads = false;
  std::vector<Path> paths;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
  std::vector<uint32_t> pathOf;
};

} // namespace

ScopeStacks::ScopeStacks(const Recording &recording,
                         llvm::ArrayRef<std::string> names,
                         report::ModelCalls &models, StackTree &tree)
    : recording(recording), models(models), tree(tree),
      pathOf(recording.events.size(), kNone) {
  for (const std::string &name : names)
    processes.push_back(tree.addFrame(name));
  uint32_t first = kNone;
  for (const ScopeEvent &event : recording.events) {
    if (event.parent != kNoScope)
      continue;
    hasThreads |= first != kNone && first != event.thread;
    first = event.thread;
  }
}

uint32_t ScopeStacks::addPath(uint32_t parent, uint32_t entry) {
  auto [it, isNew] =
      numbers.try_emplace({parent, entry}, uint32_t(paths.size()));
  if (isNew) {
    Path path;
    path.parent = parent;
    path.entry = entry;
    path.depth = parent == kNone ? 0 : paths[parent].depth + 1;
    paths.push_back(path);
  }
  return it->second;
}

/// The path of a scope, made with those of the scopes around it. Outermost
/// paths are threads.
uint32_t ScopeStacks::getPath(uint32_t event) {
  std::vector<uint32_t> missing;
  uint32_t at = event;
  for (; at != kNoScope && pathOf[at] == kNone;
       at = recording.events[at].parent)
    missing.push_back(at);
  for (uint32_t next : llvm::reverse(missing)) {
    const ScopeEvent &scope = recording.events[next];
    uint32_t parent = scope.parent == kNoScope ? addPath(kNone, scope.thread)
                                               : pathOf[scope.parent];
    // Deeper ones count for those around them, as in StackTree.
    pathOf[next] = paths[parent].depth < StackTree::kMaxDepth
                       ? addPath(parent, scope.site)
                       : parent;
  }
  return pathOf[event];
}

/// Charges the self time of a path, whose frames are `stack`; that of calls of
/// a model whose times the profile has, to the model's parts.
void ScopeStacks::charge(const Path &path,
                         llvm::SmallVectorImpl<uint32_t> &stack) {
  const scope::Site &site = recording.sites[path.entry];
  const report::ModelParts *model =
      scope::ScopeType(site.type) == scope::ScopeType::Model
          ? models.find(site.file)
          : nullptr;
  int64_t leftPs = path.selfPs;
  if (model) {
    std::vector<int64_t> shares = model->split(path.selfPs);
    std::vector<uint32_t> frames;
    for (auto [part, share] : llvm::zip_equal(model->parts, shares)) {
      frames.push_back(tree.addFrame(part.name, part.file, part.line));
      if (share <= 0)
        continue;
      leftPs -= share;
      size_t depth = stack.size();
      if (part.parent != kNone)
        stack.push_back(frames[part.parent]);
      stack.push_back(frames.back());
      tree.charge(stack, share, path.count);
      stack.truncate(depth);
    }
  }
  tree.charge(stack, leftPs, path.count);
}

void ScopeStacks::charge() {
  for (uint32_t event = 0; event != recording.events.size(); ++event) {
    Path &path = paths[getPath(event)];
    addSaturating(path.selfPs, recording.events[event].selfPs);
    // Parts of a suspended scope are one call.
    path.count += recording.events[event].first == event;
  }
  for (const Path &path : paths) {
    if (path.parent == kNone)
      continue;
    llvm::SmallVector<uint32_t> stack;
    const Path *at = &path;
    for (; at->parent != kNone; at = &paths[at->parent]) {
      const scope::Site &site = recording.sites[at->entry];
      // The file of a model is a fingerprint.
      bool isModel = scope::ScopeType(site.type) == scope::ScopeType::Model;
      stack.push_back(isModel ? tree.addFrame(site.name)
                              : tree.addFrame(site.name, site.file, site.line));
    }
    if (hasThreads) {
      const scope::Thread &thread = recording.threads[at->entry];
      stack.push_back(
          tree.addFrame((thread.name.empty() ? "thread" : thread.name) + " " +
                        std::to_string(thread.id)));
    }
    stack.append(processes.rbegin(), processes.rend());
    std::reverse(stack.begin(), stack.end());
    charge(path, stack);
  }
}

bool exporter::hasScopesOnly(const ExportInput &input) {
  return !input.ownership && !input.profile.runs.empty() &&
         llvm::all_of(input.profile.runs, [](const Run &run) {
           return run.scopes && !run.scopes->events.empty();
         });
}

llvm::Expected<StackTree> exporter::buildScopeStacks(const ExportInput &input) {
  StackTree tree;
  report::ModelCalls models(input.profile);
  Processes processes(input.profile);
  for (auto [number, run] : llvm::enumerate(input.profile.runs)) {
    if (run.scopes && !run.scopes->events.empty())
      ScopeStacks(*run.scopes, processes.getNames(uint32_t(number)), models,
                  tree)
          .charge();
    else if (input.losses)
      input.losses->add("run without single scopes, left out");
  }
  if (tree.getNodes().empty())
    return inputError(input.where, "does not contain single scopes",
                      "Record scopes with events, or give another kind of "
                      "stacks.");
  return std::move(tree);
}
