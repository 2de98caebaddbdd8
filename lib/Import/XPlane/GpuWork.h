//===- GpuWork.h - Work of GPUs ---------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_GPUWORK_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_GPUWORK_H

#include "CommandBuffers.h"
#include "HloOps.h"
#include "Space.h"
#include "mlir-prof/Profile/ProfileBuilder.h"

namespace mlirprof::importer::xplane {

/// Whether `plane` is of a GPU, whose lines "Stream #N(...)" are what it did;
/// its other lines, which viewers derive from these, repeat that.
bool isGpuPlane(llvm::StringRef plane);
bool isStreamLine(llvm::StringRef line);

/// Gives events of streams their op keys: kernels and copies that a program's
/// instruction launched, and what others launched.
class GpuWork {
public:
  GpuWork(profile::ProfileBuilder &builder, Texts &texts, HloOps &hloOps)
      : builder(builder), texts(texts), hloOps(hloOps), buffers(texts) {}

  /// Adds the device of a plane; returns its index in the builder.
  uint32_t addDevice(Plane &plane, StatReader stats);

  /// Whether events of the plane may be nodes of graphs; then each has to be
  /// passed to addNode() before the first event.
  static bool hasGraphs(Plane &plane);
  void addNode(const EventStats &stats, llvm::StringRef name);
  /// Finds the instructions of the nodes. Throws protozero's exceptions.
  void resolveNodes(Space &space);

  /// Sets the op, the launch and the bytes of an event with its interval. In
  /// `stats`, the instruction replaces the command buffer.
  void set(trace::Event &event, const EventMetadata &metadata,
           EventStats &stats);

private:
  uint32_t getOtherOp(uint32_t name, profile::DeviceWork work);

  profile::ProfileBuilder &builder;
  Texts &texts;
  HloOps &hloOps;
  CommandBuffers buffers;
  /// Op keys of work of no instruction, by the text of its name and its kind.
  std::map<std::pair<uint32_t, profile::DeviceWork>, uint32_t> otherOps;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_GPUWORK_H
