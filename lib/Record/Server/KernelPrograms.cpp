//===- KernelPrograms.cpp - Programs whose kernels change -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host side passes a program of its own to the executor. Its table is a
// word of this file, whose place tells the program that runs instead. That has
// the functions of the host side's dispatches, which call the kernels.
//
//===----------------------------------------------------------------------===//

#include "KernelPrograms.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_executor.h"
#endif

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;
using namespace mlirprof::record;

KernelPrograms::~KernelPrograms() = default;

#ifdef MLIRPROF_HAS_RUNTIME

namespace {
/// When the workgroups of a dispatch ran.
struct Span {
  std::atomic<uint64_t> begin{UINT64_MAX}, end{0};

  void add(uint64_t from, uint64_t to);
  /// Its nanoseconds; it is empty afterward.
  uint64_t take();
};

/// A program with the phases that its kernels have now.
struct ChangingProgram {
  const HostProgram *host = nullptr;
  /// By dispatch of the host side: the number of its kernel, if it has one.
  std::vector<std::optional<size_t>> kernels;
  PhasedProgram phased;
  std::vector<uint32_t> table;
  /// The host side reads these.
  uint64_t workspaceBytes = 0;
  prof_executor_program program = {};
  /// By dispatch of `phased`.
  std::deque<Span> spans;
};

class ExecutorPrograms final : public KernelPrograms {
public:
  explicit ExecutorPrograms(const CompiledModel &model);
  ExecutorPrograms(const ExecutorPrograms &) = delete;
  ExecutorPrograms &operator=(const ExecutorPrograms &) = delete;
  ~ExecutorPrograms() override;

  std::vector<std::pair<std::string, void *>> getBindings() override;
  void setPhases(size_t kernel, const KernelPhases &phases) override;
  bool has(size_t kernel) const override { return kernels[kernel].isInProgram; }
  void setTimed(size_t kernel, bool isTimed) override;
  double getSeconds(size_t kernel) const override {
    return double(kernels[kernel].nanoseconds) * 1e-9;
  }

  int run(prof_executor *executor, const prof_executor_program &host,
          void *const *addresses, const int64_t *parameters);

private:
  struct Kernel {
    std::string symbol;
    const KernelPhases *phases = nullptr;
    bool isInProgram = false;
    bool isTimed = false;
    uint64_t nanoseconds = 0;
  };

  void build(ChangingProgram &changing);
  bool isTimed(const ChangingProgram &changing) const;
  int runTimed(prof_executor *executor, ChangingProgram &changing,
               void *const *addresses, const int64_t *parameters);
  static void note(void *programs, const prof_executor_event *event);

  std::vector<Kernel> kernels;
  std::deque<ChangingProgram> programs;
  /// One for each program: the tables of the host side's.
  std::vector<uint32_t> places;
};
} // namespace

/// The programs that this process runs.
static ExecutorPrograms *current = nullptr;

void Span::add(uint64_t from, uint64_t to) {
  uint64_t known = begin.load(std::memory_order_relaxed);
  while (from < known && !begin.compare_exchange_weak(known, from))
    ;
  known = end.load(std::memory_order_relaxed);
  while (to > known && !end.compare_exchange_weak(known, to))
    ;
}

uint64_t Span::take() {
  uint64_t from = begin.exchange(UINT64_MAX), to = end.exchange(0);
  return to > from ? to - from : 0;
}

static int runProgram(prof_executor *executor,
                      const prof_executor_program *host, void *const *addresses,
                      const int64_t *parameters) {
  return current->run(executor, *host, addresses, parameters);
}

ExecutorPrograms::ExecutorPrograms(const CompiledModel &model)
    : places(model.programs.size()) {
  current = this;
  llvm::StringMap<size_t> numbers;
  for (const KernelCode &code : model.kernelCode) {
    numbers[code.symbol] = kernels.size();
    kernels.push_back({code.symbol, &code.phases});
  }
  for (const HostProgram &host : model.programs) {
    ChangingProgram &changing = programs.emplace_back();
    changing.host = &host;
    for (const std::string &symbol : host.kernels) {
      auto number = numbers.find(symbol);
      if (number == numbers.end()) {
        changing.kernels.push_back(std::nullopt);
        continue;
      }
      changing.kernels.push_back(number->second);
      kernels[number->second].isInProgram = true;
    }
    build(changing);
  }
}

ExecutorPrograms::~ExecutorPrograms() {
  for (ChangingProgram &changing : programs)
    prof_executor_release(&changing.program);
  current = nullptr;
}

std::vector<std::pair<std::string, void *>> ExecutorPrograms::getBindings() {
  std::vector<std::pair<std::string, void *>> bindings = {
      {kRunFunction.str(), reinterpret_cast<void *>(&runProgram)}};
  for (auto [place, changing] : llvm::zip_equal(places, programs)) {
    bindings.emplace_back(changing.host->tableSymbol, &place);
    bindings.emplace_back(changing.host->workspaceSymbol,
                          &changing.workspaceBytes);
  }
  return bindings;
}

void ExecutorPrograms::build(ChangingProgram &changing) {
  llvm::StringMap<const KernelPhases *> phases;
  for (const Kernel &kernel : kernels)
    phases[kernel.symbol] = kernel.phases;
  // The measured costs are of the dispatches of the old table.
  prof_executor_release(&changing.program);
  changing.phased = dividePhases(*changing.host, phases);
  changing.table = encodeTable(changing.phased.table);
  changing.program = {changing.table.data(), nullptr, nullptr};
  changing.workspaceBytes = changing.phased.workspaceBytes;
  changing.spans.clear();
  changing.spans.resize(changing.phased.origins.size());
}

void ExecutorPrograms::setPhases(size_t kernel, const KernelPhases &phases) {
  bool isSame = *kernels[kernel].phases == phases;
  kernels[kernel].phases = &phases;
  if (isSame)
    return;
  for (ChangingProgram &changing : programs)
    if (llvm::is_contained(changing.kernels, std::optional(kernel)))
      build(changing);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void ExecutorPrograms::setTimed(size_t kernel, bool isTimed) {
  kernels[kernel].isTimed = isTimed;
  kernels[kernel].nanoseconds = 0;
}

bool ExecutorPrograms::isTimed(const ChangingProgram &changing) const {
  return llvm::any_of(changing.kernels, [&](std::optional<size_t> kernel) {
    return kernel && kernels[*kernel].isTimed;
  });
}

void ExecutorPrograms::note(void *programs, const prof_executor_event *event) {
  // Requests run one after the other, and have few programs.
  for (ChangingProgram &changing :
       static_cast<ExecutorPrograms *>(programs)->programs)
    if (&changing.program == event->program)
      changing.spans[event->dispatch].add(event->begin_ns, event->end_ns);
}

int ExecutorPrograms::runTimed(prof_executor *executor,
                               ChangingProgram &changing,
                               void *const *addresses,
                               const int64_t *parameters) {
  prof_executor_trace trace = {this, note};
  prof_executor_set_trace(executor, &trace);
  int error =
      prof_executor_run(executor, &changing.program, addresses, parameters);
  prof_executor_set_trace(executor, nullptr);
  for (auto [span, origin] :
       llvm::zip_equal(changing.spans, changing.phased.origins)) {
    uint64_t nanoseconds = span.take();
    if (std::optional<size_t> kernel = changing.kernels[origin];
        kernel && kernels[*kernel].isTimed)
      kernels[*kernel].nanoseconds += nanoseconds;
  }
  return error;
}

int ExecutorPrograms::run(prof_executor *executor,
                          const prof_executor_program &host,
                          void *const *addresses, const int64_t *parameters) {
  ChangingProgram &changing = programs[size_t(host.table - places.data())];
  changing.program.kernels = host.kernels;
  if (executor && isTimed(changing))
    return runTimed(executor, changing, addresses, parameters);
  return prof_executor_run(executor, &changing.program, addresses, parameters);
}

std::unique_ptr<KernelPrograms>
KernelPrograms::create(const CompiledModel &model) {
  if (model.programs.empty())
    return nullptr;
  return std::make_unique<ExecutorPrograms>(model);
}

#else

std::unique_ptr<KernelPrograms> KernelPrograms::create(const CompiledModel &) {
  return nullptr;
}

#endif
