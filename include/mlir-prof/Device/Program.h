//===- Program.h - Kernels of a device and their order ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model compiled for a device: its kernels as assembly, and what runs in
// which order on which memory. The device's driver turns the assembly into
// code, so that a machine without the device can compile a program.
//
// A kernel `name` is called as
//
//   .entry name(.param .u64 binding0, ..., .param .u64 bindingN-1,
//               .param .u64 parameter0, ...)
//
// A binding is the address of its first byte in the device's memory, with the
// offset added; the kernel knows sizes and strides. Parameters are integers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_PROGRAM_H
#define MLIR_PROF_DEVICE_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace mlirprof::device {

/// The invalid index.
inline constexpr uint32_t kNone = ~uint32_t(0);

/// One kernel.
struct Kernel {
  /// The symbol of its entry.
  std::string name;
  /// A PTX module with that entry, as text. Kernels with the same text share
  /// one module on the device.
  std::string assembly;
  /// Threads of a workgroup by dimension, x first.
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// Bytes of dynamic shared memory of a workgroup, in addition to what the
  /// assembly declares.
  uint32_t sharedBytes = 0;
  /// The node of its function at level dispatch (profile::Node); kNone without
  /// identities.
  uint32_t node = kNone;
};

/// A range of memory that a launch or a copy uses.
struct Binding {
  enum class Place : uint8_t {
    /// `index` is one of Program::arguments.
    Argument = 0,
    /// `index` is one of Program::results.
    Result = 1,
    /// The arena, which has the values between kernels; `index` is 0.
    Arena = 2,
    /// `index` is one of Program::constants.
    Constant = 3,
    /// The buffer of probes; `index` is 0.
    Probes = 4,
  };
  Place place = Place::Arena;
  uint32_t index = 0;
  /// Bytes from the begin of the place, and size of the range.
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// Runs a kernel.
struct Launch {
  /// Index into Program::kernels.
  uint32_t kernel = 0;
  /// The instance of the dispatch (profile::Program::instances); kNone without
  /// identities.
  uint32_t instance = kNone;
  /// Workgroups by dimension, x first.
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::vector<Binding> bindings;
  std::vector<int64_t> parameters;
};

/// Copies a range within the device's memory, for a result that is an argument
/// or a constant. Both ranges have the same size.
struct Copy {
  Binding from;
  Binding to;
};

using Step = std::variant<Launch, Copy>;

/// An argument or a result: a dense array in row-major order.
struct Array {
  /// "arg0", or the name in its location or attribute.
  std::string name;
  /// "f32", "bf16", "i64" ... as in HostTensor::elementType.
  std::string elementType;
  std::vector<int64_t> shape;
  uint64_t bytes = 0;
};

/// A model for a device. Its steps run one after another on one stream.
struct Program {
  /// The architecture for which the assembly is ("sm_90").
  std::string target;
  std::vector<Kernel> kernels;
  std::vector<Step> steps;
  /// Bytes of the arena, whose content does not outlive a run.
  uint64_t arenaBytes = 0;
  /// Bytes of the buffer to which probes in kernels write. It is 0 before a
  /// run, and read after it.
  uint64_t probeBytes = 0;
  std::vector<llvm::ArrayRef<char>> constants;
  /// Keeps the bytes of `constants` and `profile` alive.
  std::shared_ptr<const void> storage;
  std::vector<Array> arguments;
  std::vector<Array> results;
  /// The ops of the model and their levels, which a profile of a run needs, as
  /// the bytes of a profile without runs (*.mlprof). Empty without
  /// identities.
  llvm::ArrayRef<char> profile;
};

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_PROGRAM_H
