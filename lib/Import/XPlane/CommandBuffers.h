//===- CommandBuffers.h - Instructions in command buffers -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_COMMANDBUFFERS_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_COMMANDBUFFERS_H

#include "LaunchOrder.h"
#include "Stats.h"
#include "mlir-prof/Trace/Event.h"

#include <map>
#include <tuple>

namespace mlirprof::importer::xplane {

/// Finds the instructions of the kernels that XLA runs as one CUDA graph: their
/// events name the command buffer, the kernel and the node of the graph, but
/// not the instruction. All nodes have to be added before the first is looked
/// up.
class CommandBuffers {
public:
  explicit CommandBuffers(Texts &texts) : texts(texts) {}

  /// Adds the node of an event with such stats; `kernel` is the event's name.
  void add(const EventStats &stats, llvm::StringRef kernel);
  bool empty() const { return buffers.empty(); }

  /// A command buffer by its program: (hlo_module, program_id), as a text and a
  /// number.
  using Program = std::pair<uint32_t, int64_t>;
  std::vector<Program> getPrograms() const;
  /// Resolves the nodes of the command buffers of a program.
  void resolve(Program program, const LaunchOrder &order,
               const profile::HloModule &module);

  /// The instruction of the event's node as a text, or kNone.
  uint32_t find(const EventStats &stats) const;

private:
  /// hlo_module, program_id, hlo_op, cuda_graph_id.
  using Key = std::tuple<uint32_t, int64_t, uint32_t, uint64_t>;
  struct Node {
    /// Text of the kernel's name.
    uint32_t kernel = trace::kNone;
    /// Text of the instruction's name, or kNone.
    uint32_t instruction = trace::kNone;
  };
  /// By number: the order in which they were added to the graph.
  using Nodes = std::map<uint64_t, Node>;

  static Key getKey(const EventStats &stats);

  Texts &texts;
  std::map<Key, Nodes> buffers;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_COMMANDBUFFERS_H
