//===- PathTier.cpp - Location paths to ops -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathTier.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::trace;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// Limit on the steps of one look-up; modules with cyclic calls would never
/// end.
constexpr unsigned kMaxSteps = 1 << 16;
/// Limit on the frames that distinguish one function at one place of a path.
constexpr unsigned kMaxFrames = 16;
/// Length at which the text of a path is truncated.
constexpr size_t kMaxPath = 4096;

/// TensorFlow numbers the scopes of bodies and branches; the module does not
/// know the number. '#' replaces it.
StringRef getInfix(CallKind kind) {
  switch (kind) {
  case CallKind::Call:
    return "/";
  case CallKind::LoopBody:
    return "/body/_#/";
  case CallKind::LoopCondition:
    return "/cond/_#/";
  case CallKind::Then:
    return "/then/_#/";
  case CallKind::Else:
    return "/else/_#/";
  }
  llvm_unreachable("unknown call kind");
}

bool isReset(CallKind kind, PathStyle style) {
  return style == PathStyle::Xla && kind != CallKind::Call;
}

/// Replaces /body/_12/ by /body/_#/, and likewise for the other numbered
/// scopes.
std::string normalizeScopes(StringRef name) {
  std::string result;
  // Scopes are at least "/body/_".
  constexpr size_t kScopeSize = 7;
  for (size_t at = name.find("/_"); at != StringRef::npos;
       at = name.find("/_")) {
    StringRef rest = name.drop_front(at + 2);
    StringRef digits =
        rest.take_while([](char c) { return c >= '0' && c <= '9'; });
    StringRef scope = name.take_front(at + 2).take_back(kScopeSize);
    bool isScope = (scope == "/body/_" || scope == "/cond/_" ||
                    scope == "/then/_" || scope == "/else/_") &&
                   !digits.empty() &&
                   rest.drop_front(digits.size()).starts_with("/");
    result += name.take_front(at + 2);
    if (isScope) {
      result += '#';
      rest = rest.drop_front(digits.size());
    }
    name = rest;
  }
  result += name;
  return result;
}

void sortCandidates(OwnerCandidates &candidates) {
  auto getKey = [](const OwnerCandidate &c) {
    return std::make_tuple(c.op, c.frame.line, c.frame.column, c.frame.file);
  };
  llvm::sort(candidates, [&](const OwnerCandidate &a, const OwnerCandidate &b) {
    return getKey(a) < getKey(b);
  });
  candidates.erase(
      std::unique(candidates.begin(), candidates.end(),
                  [](const OwnerCandidate &a, const OwnerCandidate &b) {
                    return a.op == b.op && a.frame == b.frame;
                  }),
      candidates.end());
}

} // namespace

void PathResolver::addCallSites() {
  size_t functions = index.getFunctions().size();
  callSiteBegin.assign(functions + 1, 0);
  std::vector<std::vector<CallSite>> byFunction(functions);
  ArrayRef<IndexedCall> calls = index.getCalls();
  for (uint32_t i = 0; i < calls.size(); ++i)
    for (uint32_t name : index.getLocation(calls[i].op).names)
      byFunction[calls[i].caller].push_back({name, i});
  for (size_t i = 0; i < functions; ++i) {
    llvm::sort(byFunction[i], [](CallSite a, CallSite b) {
      return std::make_pair(a.name, a.call) < std::make_pair(b.name, b.call);
    });
    llvm::append_range(callSites, byFunction[i]);
    callSiteBegin[i + 1] = callSites.size();
  }
}

ArrayRef<PathResolver::CallSite> PathResolver::getCallSites(uint32_t function) {
  if (callSiteBegin.empty())
    addCallSites();
  return ArrayRef(callSites).slice(callSiteBegin[function],
                                   callSiteBegin[function + 1] -
                                       callSiteBegin[function]);
}

void PathResolver::addRoots(PathStyle style, std::vector<Root> &roots) {
  ArrayRef<IndexedFunction> functions = index.getFunctions();
  std::vector<bool> seen(functions.size(), false);
  std::vector<uint32_t> todo;
  for (uint32_t i = 0; i < functions.size(); ++i) {
    if (functions[i].isCalled)
      continue;
    seen[i] = true;
    roots.push_back({i, Frame()});
    todo.push_back(i);
  }
  // In XLA's style, reachable bodies and branches begin a path as well.
  while (style == PathStyle::Xla && !todo.empty()) {
    uint32_t function = todo.back();
    todo.pop_back();
    for (CallSite site : getCallSites(function)) {
      const IndexedCall &call = index.getCalls()[site.call];
      if (isReset(call.kind, style))
        roots.push_back({call.callee, index.getLocation(call.op).frame});
      if (seen[call.callee])
        continue;
      seen[call.callee] = true;
      todo.push_back(call.callee);
    }
  }
}

PathResolver::Style &PathResolver::getStyle(PathStyle style) {
  Style &result = styles[unsigned(style)];
  if (!result.known) {
    result.known = true;
    addRoots(style, result.roots);
    sortRoots(result);
  }
  return result;
}

void PathResolver::sortRoots(Style &style) {
  style.rootsByFunction = style.roots;
  llvm::stable_sort(style.rootsByFunction, [](const Root &a, const Root &b) {
    return a.function < b.function;
  });
  uint32_t last = kNone;
  for (const Root &root : style.rootsByFunction) {
    if (root.function != last)
      llvm::append_range(style.rootSites, getCallSites(root.function));
    last = root.function;
  }
  llvm::sort(style.rootSites, [](CallSite a, CallSite b) {
    return std::make_pair(a.name, a.call) < std::make_pair(b.name, b.call);
  });
}

OwnerCandidates PathResolver::findFull(StringRef name, PathStyle style) {
  struct State {
    uint32_t function;
    size_t offset;
    Frame frame;
  };
  OwnerCandidates result;
  const LocationTable &locations = index.getLocations();
  const Style &known = getStyle(style);
  std::vector<State> todo;
  llvm::DenseMap<std::pair<uint32_t, size_t>, unsigned> visits;
  auto forEachRoot = [&](uint32_t function,
                         llvm::function_ref<void(const Frame &)> visit) {
    auto root =
        llvm::partition_point(known.rootsByFunction, [&](const Root &r) {
          return r.function < function;
        });
    for (unsigned count = 0; count < kMaxFrames; ++count, ++root) {
      if (root == known.rootsByFunction.end() || root->function != function)
        return;
      visit(root->frame);
    }
  };
  auto addOp = [&](uint32_t op, const Frame &inherited) {
    const Frame &frame = index.getLocation(op).frame;
    if (!index.getTraits(op).isTerminator)
      result.push_back({op, frame ? frame : inherited});
  };
  auto enter = [&](const IndexedCall &call, size_t offset,
                   const Frame &inherited) {
    // The same function reached with another frame is another candidate, but a
    // few of them suffice.
    if (visits[{call.callee, offset}]++ >= kMaxFrames ||
        todo.size() >= kMaxSteps)
      return;
    const Frame &frame = index.getLocation(call.op).frame;
    todo.push_back({call.callee, offset, frame ? frame : inherited});
  };
  // Calls `visit` with the calls among `sites` that begin the rest of the name,
  // and the begin of the callee's part of it.
  auto follow =
      [&](ArrayRef<CallSite> sites, size_t offset,
          llvm::function_ref<void(const IndexedCall &, size_t)> visit) {
        StringRef rest = name.drop_front(offset);
        size_t at = sites.empty() ? StringRef::npos : rest.find('/');
        for (; at != StringRef::npos; at = rest.find('/', at + 1)) {
          uint32_t prefix = locations.findName(rest.take_front(at));
          if (prefix == kNone)
            continue;
          auto site = llvm::partition_point(
              sites, [&](CallSite s) { return s.name < prefix; });
          for (; site != sites.end() && site->name == prefix; ++site) {
            const IndexedCall &call = index.getCalls()[site->call];
            StringRef infix = getInfix(call.kind);
            if (!isReset(call.kind, style) &&
                rest.drop_front(at).starts_with(infix))
              visit(call, offset + at + infix.size());
          }
        }
      };

  for (uint32_t op : index.getNamed(locations.findName(name)))
    forEachRoot(index[op].function,
                [&](const Frame &frame) { addOp(op, frame); });
  follow(known.rootSites, 0, [&](const IndexedCall &call, size_t offset) {
    forEachRoot(call.caller,
                [&](const Frame &frame) { enter(call, offset, frame); });
  });
  for (unsigned steps = 0; !todo.empty() && steps < kMaxSteps; ++steps) {
    State state = todo.back();
    todo.pop_back();
    uint32_t own = locations.findName(name.drop_front(state.offset));
    for (uint32_t op : index.getNamed(own, state.function))
      addOp(op, state.frame);
    follow(getCallSites(state.function), state.offset,
           [&](const IndexedCall &call, size_t offset) {
             enter(call, offset, state.frame);
           });
  }
  sortCandidates(result);
  return result;
}

OwnerCandidates PathResolver::findOwn(StringRef name) const {
  OwnerCandidates result;
  for (uint32_t op : index.getNamed(index.getLocations().findName(name)))
    result.push_back({op, index.getLocation(op).frame});
  sortCandidates(result);
  return result;
}

const OwnerCandidates &PathResolver::resolve(StringRef name, PathStyle style,
                                             PathScope scope) {
  auto [entry, inserted] =
      memo[unsigned(style)][unsigned(scope)].try_emplace(name);
  OwnerCandidates &result = entry->second;
  if (!inserted)
    return result;
  result = findFull(name, style);
  if (result.empty()) {
    std::string normalized = normalizeScopes(name);
    if (normalized != name)
      result = findFull(normalized, style);
  }
  if (result.empty() && scope == PathScope::FullThenOwn)
    result = findOwn(name);
  return result;
}

void PathResolver::addPrefixes(PathStyle style, Style &result) {
  result.prefixes.assign(index.getFunctions().size(), "");
  std::vector<bool> known(index.getFunctions().size(), false);
  std::deque<uint32_t> todo;
  for (const Root &root : result.roots) {
    known[root.function] = true;
    todo.push_back(root.function);
  }
  std::vector<std::vector<uint32_t>> byCaller(index.getFunctions().size());
  ArrayRef<IndexedCall> calls = index.getCalls();
  for (uint32_t i = 0; i < calls.size(); ++i)
    byCaller[calls[i].caller].push_back(i);
  while (!todo.empty()) {
    uint32_t caller = todo.front();
    todo.pop_front();
    for (uint32_t i : byCaller[caller]) {
      const IndexedCall &call = calls[i];
      if (known[call.callee])
        continue;
      known[call.callee] = true;
      todo.push_back(call.callee);
      const auto &names = index.getLocation(call.op).names;
      if (names.empty())
        continue;
      std::string &prefix = result.prefixes[call.callee];
      prefix = result.prefixes[caller];
      prefix += index.getLocations().getName(names.front());
      prefix += getInfix(call.kind);
      if (prefix.size() > kMaxPath)
        prefix.clear();
    }
  }
}

std::string PathResolver::getPath(uint32_t number, PathStyle style) {
  Style &known = getStyle(style);
  if (known.prefixes.empty())
    addPrefixes(style, known);
  const auto &names = index.getLocation(number).names;
  if (names.empty())
    return "";
  const std::string &prefix = known.prefixes[index[number].function];
  StringRef own = index.getLocations().getName(names.front());
  std::string result;
  result.reserve(prefix.size() + own.size());
  result += prefix;
  result += own;
  return result;
}
