//===- KernelStubs.cpp - Calls of kernels that change ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelStubs.h"
#include "../Child/RunProcess.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemAlloc.h"

#include <array>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

//===----------------------------------------------------------------------===//
// Constants in another order
//===----------------------------------------------------------------------===//

/// As the compiler aligns constants.
static constexpr size_t kAlignment = 64;

RepackedConstants::~RepackedConstants() {
  for (Copy *copy = copies.load(); copy;) {
    llvm::deallocate_buffer(copy->to, argument.getBytes(), kAlignment);
    delete std::exchange(copy, copy->next);
  }
}

void *RepackedConstants::find(const void *constant) const {
  for (Copy *copy = copies.load(std::memory_order_acquire); copy;
       copy = copy->next)
    if (copy->from == constant)
      return copy->to;
  return nullptr;
}

void *RepackedConstants::get(void *constant) {
  if (void *known = find(constant))
    return known;
  std::lock_guard<std::mutex> lock(mutex);
  if (void *known = find(constant))
    return known;
  void *to = llvm::allocate_buffer(argument.getBytes(), kAlignment);
  codegen::repack(argument, static_cast<const char *>(constant),
                  static_cast<char *>(to));
  copies.store(new Copy{constant, to, copies.load()},
               std::memory_order_release);
  return to;
}

//===----------------------------------------------------------------------===//
// Stubs
//===----------------------------------------------------------------------===//

namespace {
/// Calls that are repeated, by one thread.
struct Replay {
  LoadedKernel *incumbent = nullptr, *candidate = nullptr;
  /// Four of each round.
  std::vector<double> seconds;
};

/// How calls of one kernel go on.
struct Slot {
  std::atomic<LoadedKernel *> current{nullptr};
  Replay *replay = nullptr;
  std::atomic<bool> isTimed{false};
  std::atomic<int64_t> nanoseconds{0};
};
} // namespace

static std::array<Slot, KernelServer::kMostKernels> slots;

/// Calls the code of `kernel` with its constants in the order that it reads.
static void callRepacked(LoadedKernel &kernel, void *const *bindings,
                         const int64_t *parameters, uint32_t x, uint32_t y,
                         uint32_t z) {
  llvm::SmallVector<void *, 256> changed(bindings, bindings + kernel.arguments);
  for (RepackedConstants &constants : kernel.repacked)
    if (constants.getIndex() < changed.size())
      changed[constants.getIndex()] =
          constants.get(bindings[constants.getIndex()]);
  kernel.function(changed.data(), parameters, x, y, z);
}

static void callCode(LoadedKernel &kernel, void *const *bindings,
                     const int64_t *parameters, uint32_t x, uint32_t y,
                     uint32_t z) {
  if (kernel.repacked.empty())
    kernel.function(bindings, parameters, x, y, z);
  else
    callRepacked(kernel, bindings, parameters, x, y, z);
}

static void callRepeatedly(Replay &replay, void *const *bindings,
                           const int64_t *parameters, uint32_t x, uint32_t y,
                           uint32_t z) {
  callCode(*replay.candidate, bindings, parameters, x, y, z);
  callCode(*replay.incumbent, bindings, parameters, x, y, z);
  for (size_t i = 0; i != replay.seconds.size(); ++i) {
    // Incumbent first and last; in odd rounds the candidate.
    bool isCandidate = (i % 4 == 1 || i % 4 == 2) != (i / 4 % 2 == 1);
    int64_t begin = getMonotonicNs();
    callCode(isCandidate ? *replay.candidate : *replay.incumbent, bindings,
             parameters, x, y, z);
    replay.seconds[i] += double(getMonotonicNs() - begin) * 1e-9;
  }
}

static void callKernel(Slot &slot, void *const *bindings,
                       const int64_t *parameters, uint32_t x, uint32_t y,
                       uint32_t z) {
  LoadedKernel &kernel = *slot.current.load(std::memory_order_relaxed);
  if (slot.replay)
    callRepeatedly(*slot.replay, bindings, parameters, x, y, z);
  if (!slot.isTimed.load(std::memory_order_relaxed))
    return callCode(kernel, bindings, parameters, x, y, z);
  int64_t begin = getMonotonicNs();
  callCode(kernel, bindings, parameters, x, y, z);
  slot.nanoseconds.fetch_add(getMonotonicNs() - begin,
                             std::memory_order_relaxed);
}

/// The function that the host side calls for one kernel.
template <size_t Index>
static void callStub(void *const *bindings, const int64_t *parameters,
                     uint32_t x, uint32_t y, uint32_t z) {
  callKernel(slots[Index], bindings, parameters, x, y, z);
}

template <size_t... Index>
static constexpr std::array<KernelFunction, sizeof...(Index)>
makeStubs(std::index_sequence<Index...>) {
  return {&callStub<Index>...};
}

static constexpr std::array<KernelFunction, KernelServer::kMostKernels> stubs =
    makeStubs(std::make_index_sequence<KernelServer::kMostKernels>());

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<LoadedKernel>>
loadKernel(const KernelVariant &variant, size_t arguments) {
  CompiledModel code;
  code.object = variant.object;
  code.entrySymbol = variant.symbol;
  code.usesOpenMP = variant.usesOpenMP;
  auto loaded = loadCode(code);
  if (!loaded)
    return loaded.takeError();
  auto kernel = std::make_unique<LoadedKernel>();
  kernel->code = std::move(*loaded);
  kernel->function = reinterpret_cast<KernelFunction>(
      reinterpret_cast<void *>(kernel->code.entry));
  kernel->phases = variant.phases;
  kernel->arguments = arguments + (variant.phases.workspaceBytes ? 1 : 0);
  for (const codegen::RepackedArgument &argument : variant.repacked)
    kernel->repacked.emplace_back(argument);
  return std::move(kernel);
}

std::vector<std::pair<std::string, void *>>
Kernels::getBindings(const CompiledModel &model) {
  std::vector<std::pair<std::string, void *>> bindings;
  for (auto [kernel, stub] : llvm::zip(model.kernelCode, stubs))
    bindings.emplace_back(kernel.symbol, reinterpret_cast<void *>(stub));
  programs = KernelPrograms::create(model);
  if (programs)
    llvm::append_range(bindings, programs->getBindings());
  return bindings;
}

llvm::Error Kernels::load(const CompiledModel &model) {
  if (model.kernelCode.size() > stubs.size())
    return inputError("the model", "has more than " +
                                       std::to_string(stubs.size()) +
                                       " kernels");
  for (const KernelCode &code : model.kernelCode) {
    KernelVariant own;
    own.object = code.object;
    own.symbol = code.symbol;
    own.usesOpenMP = code.usesOpenMP;
    own.phases = code.phases;
    auto loaded = loadKernel(own, code.isConstant.size());
    if (!loaded)
      return loaded.takeError();
    kernels.push_back({std::move(*loaded), nullptr, code.isConstant.size()});
    select(kernels.size() - 1, KernelChoice::Incumbent);
  }
  return llvm::Error::success();
}

llvm::Error Kernels::loadCandidate(size_t kernel,
                                   const KernelVariant &candidate) {
  if (kernel >= kernels.size())
    return inputError("a kernel", "the model does not have it");
  auto loaded = loadKernel(candidate, kernels[kernel].arguments);
  if (!loaded)
    return loaded.takeError();
  select(kernel, KernelChoice::Incumbent);
  kernels[kernel].candidate = std::move(*loaded);
  return llvm::Error::success();
}

bool Kernels::select(size_t kernel, KernelChoice choice) {
  if (kernel >= kernels.size())
    return false;
  const Kernel &chosen = kernels[kernel];
  LoadedKernel *code = choice == KernelChoice::Candidate
                           ? chosen.candidate.get()
                           : chosen.incumbent.get();
  if (!code)
    return false;
  slots[kernel].current = code;
  if (programs)
    programs->setPhases(kernel, code->phases);
  return true;
}

bool Kernels::keep(size_t kernel, KernelChoice choice) {
  if (!select(kernel, choice))
    return false;
  if (choice == KernelChoice::Candidate)
    kernels[kernel].incumbent = std::move(kernels[kernel].candidate);
  kernels[kernel].candidate.reset();
  return true;
}

void Kernels::setTimed(size_t kernel, bool isTimed) {
  if (programs && programs->has(kernel))
    return programs->setTimed(kernel, isTimed);
  slots[kernel].nanoseconds = 0;
  slots[kernel].isTimed = isTimed;
}

double Kernels::getSeconds(size_t kernel) const {
  if (programs && programs->has(kernel))
    return programs->getSeconds(kernel);
  return double(slots[kernel].nanoseconds) * 1e-9;
}

bool Kernels::beginReplay(size_t kernel, uint64_t rounds) {
  if (kernel >= kernels.size() || !kernels[kernel].candidate)
    return false;
  slots[kernel].replay = new Replay{kernels[kernel].incumbent.get(),
                                    kernels[kernel].candidate.get(),
                                    std::vector<double>(4 * rounds)};
  return true;
}

std::vector<double> Kernels::endReplay(size_t kernel) {
  std::unique_ptr<Replay> replay(std::exchange(slots[kernel].replay, nullptr));
  return std::move(replay->seconds);
}
