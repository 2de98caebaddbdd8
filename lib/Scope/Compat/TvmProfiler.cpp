//===- TvmProfiler.cpp - The interface of TVM's profiler ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Compat/Tvm.h"
#include "mlir-prof/Scope/Profiler.h"
#include "mlir-prof/Scope/Styles.h"

#include <deque>
#include <mutex>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::tvm;

struct ProfilerNode::Data {
  mutable std::mutex mutex;
  /// Entries that were not exited.
  uint32_t depth = 0;
  std::unique_ptr<scope::Profiler> running;
  /// Those of the past.
  std::deque<Recording> recordings;
  int64_t totalPs = 0;
  bool hasTotal = false;

  Recordings list() const;
};

/// The profilers that a thread has entered.
static std::vector<tvm::Profiler> &getEntered() {
  static thread_local std::vector<tvm::Profiler> entered;
  return entered;
}

ProfilerNode::ProfilerNode() : data(std::make_unique<Data>()) {}
ProfilerNode::~ProfilerNode() = default;

Recordings ProfilerNode::Data::list() const {
  Recordings all;
  for (const Recording &recording : recordings)
    all.push_back(&recording);
  return all;
}

void ProfilerNode::enter() {
  std::lock_guard<std::mutex> lock(data->mutex);
  if (data->depth++ == 0)
    data->running = std::make_unique<scope::Profiler>();
}

void ProfilerNode::exit() {
  std::lock_guard<std::mutex> lock(data->mutex);
  if (data->depth == 0 || --data->depth != 0)
    return;
  std::unique_ptr<scope::Profiler> ended = std::move(data->running);
  ended->stop();
  Recording recording;
  int64_t totalPs = 0;
  // Memory may be missing; then there is nothing to add.
  if (ended->read(recording) || ended->getTotalPs(totalPs))
    return;
  data->recordings.push_back(std::move(recording));
  data->totalPs += totalPs;
  data->hasTotal = true;
}

std::unordered_map<std::string, double> ProfilerNode::Get() const {
  std::lock_guard<std::mutex> lock(data->mutex);
  Recordings all = data->list();
  Recording live;
  if (data->running && !data->running->read(live))
    all.push_back(&live);
  std::unordered_map<std::string, double> seconds;
  for (const TableRow &row : makeBestTable(all))
    if (row.calls)
      seconds[row.name == "Total" ? "Total (scope)" : row.name] +=
          double(row.totalPs) * 1e-12;
  if (data->hasTotal)
    seconds["Total"] = double(data->totalPs) * 1e-12;
  return seconds;
}

bool ProfilerNode::makeTable(std::string &text) const {
  std::lock_guard<std::mutex> lock(data->mutex);
  Recordings all = data->list();
  if (!data->hasTotal) {
    Recording live;
    bool isEmpty =
        !data->running || data->running->read(live) || live.events.empty();
    text = isEmpty ? "The stats are empty. Please run the profiler first."
                   : "The total time is not recorded. This method should be "
                     "called only after exiting the profiler's with scope.";
    return false;
  }
  StyleOptions options;
  options.totalPs = data->totalPs;
  StyledText styled;
  if (auto problem = writeStyled("tvm", all, options, styled)) {
    text = problem->what;
    return false;
  }
  text = std::move(styled.text);
  return true;
}

void ProfilerNode::Reset() {
  std::lock_guard<std::mutex> lock(data->mutex);
  data->recordings.clear();
  data->totalPs = 0;
  data->hasTotal = false;
  if (data->running)
    data->running = std::make_unique<scope::Profiler>();
}

void tvm::Profiler::EnterWithScope() {
  node->enter();
  getEntered().push_back(*this);
}

void tvm::Profiler::ExitWithScope() {
  std::vector<tvm::Profiler> &entered = getEntered();
  for (size_t index = entered.size(); index--;)
    if (entered[index] == *this) {
      entered.erase(entered.begin() + ptrdiff_t(index));
      break;
    }
  node->exit();
}

std::optional<tvm::Profiler> tvm::Profiler::Current() {
  std::vector<tvm::Profiler> &entered = getEntered();
  if (entered.empty())
    return std::nullopt;
  return entered.back();
}
