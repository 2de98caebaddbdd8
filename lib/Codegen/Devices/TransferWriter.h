//===- TransferWriter.h - Inserting transfers in front of ops ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DEVICES_TRANSFERWRITER_H
#define MLIR_PROF_LIB_CODEGEN_DEVICES_TRANSFERWRITER_H

#include "MemoryParts.h"
#include "mlir/IR/Builders.h"

namespace mlirprof::codegen {

/// A set of devices: bit 0 is the host, bit I + 1 device I.
using DeviceSet = uint64_t;

inline constexpr DeviceSet kOnHost = 1;
/// A part that does not have a value yet is everywhere.
inline constexpr DeviceSet kAnywhere = ~DeviceSet(0);
inline constexpr unsigned kMostDevices = 62;

/// The copies of one part.
struct PartState {
  /// The places of current copies.
  DeviceSet current = kAnywhere;
  /// Devices with transfers that may still read or write the host's copy.
  DeviceSet readers = 0, writers = 0;

  bool operator==(const PartState &other) const {
    return current == other.current && readers == other.readers &&
           writers == other.writers;
  }
};

/// All that is known at one point of a function.
struct MemoryState {
  std::vector<PartState> parts;
  /// Devices that may not be done.
  DeviceSet busy = 0;

  bool operator==(const MemoryState &other) const {
    return parts == other.parts && busy == other.busy;
  }
};

/// Follows what ops do to the copies of parts, and inserts transfers and waits
/// if told so.
class TransferWriter {
public:
  /// All may change later.
  TransferWriter(const MemoryParts &memory,
                 const std::vector<std::string> &devices, MemoryState &state)
      : memory(memory), devices(devices), state(state) {}

  /// Makes the copies of `parts` on a device (0 for the host) current in front
  /// of `op`. `buffer` has these parts; null if no buffer does.
  void makeCurrent(mlir::Operation *op, PartRange parts, unsigned device,
                   mlir::Value buffer = {});
  /// The host reads or writes what is current there, or a dispatch on a device
  /// writes.
  void readOnHost(mlir::Operation *op, PartRange parts);
  void writeOnHost(mlir::Operation *op, PartRange parts);
  void writeOnDevice(PartRange parts, unsigned device);
  /// A transfer that exists.
  void transfer(mlir::Operation *op, PartRange parts, unsigned device,
                bool isToDevice);
  /// Waits for `waited` in front of `op`, or follows such a wait.
  void wait(mlir::Operation *op, DeviceSet waited);
  void followWait(unsigned device);

  /// Whether ops are inserted.
  bool isWriting = false;
  /// By part, while ops are not inserted: the devices to which makeCurrent has
  /// copied what was there at first, and whether something overwrote it.
  struct PartUse {
    DeviceSet copiedTo = 0;
    bool isOverwritten = false;
  };
  std::vector<PartUse> uses;

private:
  void insertTransfer(mlir::Operation *op, PartRange parts, unsigned device,
                      bool isToDevice, mlir::Value buffer);

  const MemoryParts &memory;
  const std::vector<std::string> &devices;
  MemoryState &state;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DEVICES_TRANSFERWRITER_H
