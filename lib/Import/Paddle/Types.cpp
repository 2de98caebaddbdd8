//===- Types.cpp - The types of PaddlePaddle's events ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::paddle;
using kineto::Category;
using profile::CallPhase;
using scope::kNoScope;
using scope::MemoryType;
using scope::ScopeEvent;
using scope::ScopeType;

std::optional<ScopeType> paddle::findType(llvm::StringRef category) {
  return llvm::StringSwitch<std::optional<ScopeType>>(category)
      .Case("Operator", ScopeType::Operator)
      .Case("Dataloader", ScopeType::Dataloader)
      .Case("ProfileStep", ScopeType::ProfileStep)
      .Cases({"CudaRuntime", "MluRuntime"}, ScopeType::CudaRuntime)
      .Case("Kernel", ScopeType::Kernel)
      .Case("Memcpy", ScopeType::Memcpy)
      .Case("Memset", ScopeType::Memset)
      .Case("UserDefined", ScopeType::UserDefined)
      .Case("OperatorInner", ScopeType::OperatorInner)
      .Case("Forward", ScopeType::Forward)
      .Case("Backward", ScopeType::Backward)
      .Case("Optimization", ScopeType::Optimization)
      .Case("Communication", ScopeType::Communication)
      .Case("PythonOp", ScopeType::PythonOp)
      .Case("PythonUserDefined", ScopeType::PythonUserDefined)
      .Case("DygraphKernelLaunch", ScopeType::DygraphKernelLaunch)
      .Case("StaticKernelLaunch", ScopeType::StaticKernelLaunch)
      .Default(std::nullopt);
}

Meaning paddle::getMeaning(ScopeType type) {
  switch (type) {
  case ScopeType::Operator:
  case ScopeType::OperatorInner:
  case ScopeType::PythonOp:
  case ScopeType::DygraphKernelLaunch:
  case ScopeType::StaticKernelLaunch:
    return {Category::Op, CallPhase::Forward};
  case ScopeType::ProfileStep:
  case ScopeType::Forward:
    return {Category::Annotation, CallPhase::Forward};
  case ScopeType::Backward:
    return {Category::Annotation, CallPhase::Backward};
  case ScopeType::Optimization:
    return {Category::Annotation, CallPhase::Optimizer};
  case ScopeType::CudaRuntime:
    return {Category::Runtime, CallPhase::Forward};
  case ScopeType::Kernel:
    return {Category::Kernel, CallPhase::Forward};
  case ScopeType::Memcpy:
    return {Category::Copy, CallPhase::Forward};
  case ScopeType::Memset:
    return {Category::SetMemory, CallPhase::Forward};
  default:
    return {};
  }
}

llvm::StringRef paddle::getOpName(llvm::StringRef name, ScopeType type) {
  if (type != ScopeType::Operator)
    return name;
  for (llvm::StringRef suffix :
       {" compute", " dygraph", " pybind_imperative_func"})
    if (name.size() > suffix.size())
      name.consume_back(suffix);
  return name;
}

llvm::StringRef paddle::getPlace(llvm::StringRef text) {
  llvm::StringRef rest = text;
  return rest.consume_front("Place(") && rest.consume_back(")") ? rest : text;
}

std::optional<MemoryType> paddle::findMemoryType(llvm::StringRef category) {
  return llvm::StringSwitch<std::optional<MemoryType>>(category)
      .Case("Allocate", MemoryType::Allocate)
      .Case("Free", MemoryType::Free)
      .Case("ReservedAllocate", MemoryType::ReservedAllocate)
      .Case("ReservedFree", MemoryType::ReservedFree)
      .Default(std::nullopt);
}

static bool isOfType(const scope::Recording &recording, const ScopeEvent &event,
                     ScopeType type) {
  return recording.sites[event.site].type == uint16_t(type);
}

void paddle::linkToSteps(scope::Recording &recording) {
  std::vector<ScopeEvent> &events = recording.events;
  std::vector<bool> hasSteps(recording.threads.size());
  std::vector<uint32_t> steps;
  for (auto [index, event] : llvm::enumerate(events))
    if (isOfType(recording, event, ScopeType::ProfileStep)) {
      hasSteps[event.thread] = true;
      steps.push_back(uint32_t(index));
    }
  llvm::stable_sort(steps, [&](uint32_t a, uint32_t b) {
    return events[a].beginPs < events[b].beginPs;
  });
  for (ScopeEvent &event : events) {
    if (event.parent != kNoScope || hasSteps[event.thread] ||
        !isOfType(recording, event, ScopeType::PythonUserDefined))
      continue;
    auto after = llvm::upper_bound(steps, event.beginPs,
                                   [&](int64_t beginPs, uint32_t step) {
                                     return beginPs < events[step].beginPs;
                                   });
    if (after != steps.begin() && event.beginPs < events[after[-1]].endPs)
      event.parent = after[-1];
  }
}

int64_t EpochTimes::getAnchorNs() const {
  return earliestNs == uint64_t(std::numeric_limits<int64_t>::max())
             ? 0
             : int64_t(earliestNs);
}

int64_t EpochTimes::toPs(uint64_t ns) const {
  auto anchor = uint64_t(getAnchorNs());
  uint64_t since = ns > anchor ? ns - anchor : 0;
  constexpr auto kMost = uint64_t(std::numeric_limits<int64_t>::max());
  return trace::saturatingMul(int64_t(std::min(since, kMost)), 1000);
}
