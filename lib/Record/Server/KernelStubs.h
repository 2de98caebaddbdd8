//===- KernelStubs.h - Calls of kernels that change -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SERVER_KERNELSTUBS_H
#define MLIR_PROF_LIB_RECORD_SERVER_KERNELSTUBS_H

#include "../Child/RunLoader.h"
#include "KernelPrograms.h"
#include "mlir-prof/Compile/KernelVariants.h"
#include "mlir-prof/Record/KernelServer.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace mlirprof::record {

/// The code of a kernel (KernelCompiler.h).
using KernelFunction = void (*)(void *const *bindings,
                                const int64_t *parameters, uint32_t x,
                                uint32_t y, uint32_t z);

/// Copies of constants in another order, made when they are first needed. Any
/// number of threads may look one up.
class RepackedConstants {
public:
  explicit RepackedConstants(const codegen::RepackedArgument &argument)
      : argument(argument) {}
  RepackedConstants(const RepackedConstants &) = delete;
  RepackedConstants &operator=(const RepackedConstants &) = delete;
  ~RepackedConstants();

  unsigned getIndex() const { return argument.index; }
  void *get(void *constant);

private:
  struct Copy {
    const void *from;
    void *to;
    Copy *next;
  };
  void *find(const void *constant) const;

  codegen::RepackedArgument argument;
  std::atomic<Copy *> copies{nullptr};
  std::mutex mutex;
};

/// Code of a kernel in the memory of this process.
struct LoadedKernel {
  LoadedModel code;
  KernelFunction function = nullptr;
  compile::KernelPhases phases;
  /// The number of the kernel's arguments, with its workspace.
  size_t arguments = 0;
  std::deque<RepackedConstants> repacked;
};

/// The kernels of the model in this process, through which its host side
/// calls.
class Kernels {
public:
  /// The functions and variables that the host side of `model`, which outlives
  /// this, finds under the symbols of kernels and programs. Comes once, before
  /// load().
  std::vector<std::pair<std::string, void *>>
  getBindings(const compile::CompiledModel &model);
  /// Loads those of `model`. Fails if there are too many, or the linker does.
  llvm::Error load(const compile::CompiledModel &model);

  size_t size() const { return kernels.size(); }
  llvm::Error loadCandidate(size_t kernel,
                            const compile::KernelVariant &candidate);
  /// False without a candidate.
  bool select(size_t kernel, KernelChoice choice);
  bool keep(size_t kernel, KernelChoice choice);

  /// Whether the calls of a kernel are timed from now on; their time starts at
  /// zero.
  void setTimed(size_t kernel, bool isTimed);
  double getSeconds(size_t kernel) const;

  /// From now on each call of a kernel is repeated for `rounds` rounds (see
  /// KernelServer::replay), until endReplay(), which returns their seconds.
  /// False without a candidate.
  bool beginReplay(size_t kernel, uint64_t rounds);
  std::vector<double> endReplay(size_t kernel);

private:
  struct Kernel {
    std::unique_ptr<LoadedKernel> incumbent, candidate;
    /// Bindings without a workspace.
    size_t arguments = 0;
  };
  std::vector<Kernel> kernels;
  /// With several threads.
  std::unique_ptr<KernelPrograms> programs;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SERVER_KERNELSTUBS_H
