//===- Reader.h - Events of all lines ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_READER_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_READER_H

#include "Allocators.h"
#include "GpuWork.h"
#include "HloOps.h"
#include "Line.h"
#include "Space.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileBuilder.h"

namespace mlirprof::importer::xplane {

/// Reads the events of all lines of a space, merged by time, into a builder.
/// Its functions throw protozero's exceptions.
class Reader {
public:
  /// `space` is the result of readSpace for `input`; `position` is updated
  /// while reading, for errors.
  Reader(const ImportInput &input, Space &space,
         profile::ProfileBuilder &builder, const char *&position)
      : input(input), space(space), builder(builder), position(position),
        hloOps(builder, texts, builder.getHloModules()),
        gpuWork(builder, texts, hloOps) {}

  void read();

private:
  /// The kind of a line, by its name.
  enum class LineKind : uint8_t {
    Plain,
    XlaOps,
    Steps,
    /// Work of a GPU.
    Stream,
    /// Repeats what streams did.
    Derived
  };
  struct PlaneState {
    Plane *plane;
    StatReader stats;
    /// Index of the GPU that it shows, or kNone.
    uint32_t device = trace::kNone;
  };

  /// Scans all lines, and creates tracks for them.
  void scanLines();
  void scanPlane(Plane &plane);
  /// Collects the nodes of graphs.
  void scanGraphs();
  void addLine(uint32_t plane, uint32_t line, llvm::StringRef bytes);
  void reportLine(const Plane &plane, const LineInfo &info);
  void chooseOrigin();
  void openCursors();

  void mergeLines();
  void siftDown(size_t hole);
  /// The line that comes next, or null.
  const LineCursor *getSecond() const;
  /// Emits the events of `first` that come before that of `second`; false if
  /// the line ends.
  bool emitWhileFirst(LineCursor &first, const LineCursor *second);

  void emit(const LineCursor &cursor);
  /// The metadata of event id `id`, resolved.
  EventMetadata &getMetadata(uint32_t plane, int64_t id) {
    EventMetadata *metadata = planes[plane].plane->eventMetadata.find(id);
    if (LLVM_LIKELY(metadata && metadata->isResolved))
      return *metadata;
    return resolveOrAdd(plane, id, metadata);
  }
  EventMetadata &resolveOrAdd(uint32_t plane, int64_t id,
                              EventMetadata *metadata);
  void resolve(PlaneState &plane, int64_t id, EventMetadata &metadata);
  void setOp(trace::Event &event, EventMetadata &metadata,
             const EventStats &stats, LineKind kind);
  void setRole(trace::Event &event, const EventMetadata &metadata,
               const EventStats &stats, LineKind kind);
  void setLaunch(trace::Event &event, const EventStats &stats);
  uint64_t getRun(const EventStats &stats) const;
  void reportLosses();

  const ImportInput &input;
  Space &space;
  profile::ProfileBuilder &builder;
  const char *&position;
  Texts texts;
  HloOps hloOps;
  GpuWork gpuWork;
  Allocators allocators;

  std::vector<PlaneState> planes;
  struct Line {
    llvm::StringRef bytes;
    LineInfo info;
    uint32_t plane;
    LineKind kind;
  };
  /// Indexed by track.
  std::vector<Line> lines;
  int64_t originNs = 0;
  TimeTroubles troubles;
  std::vector<LineCursor> cursors;
  /// Binary heap of indices of `cursors`, the earliest event on top.
  std::vector<uint32_t> heap;
  /// Interval of releasing memory, long enough for a negligible cost.
  static constexpr uint32_t kEventsBetweenReleases = 1 << 14;
  uint32_t eventsToRelease = kEventsBetweenReleases;

  /// Stats of the current event.
  EventStats scratch;
  /// Executions of XLA:CPU programs begun so far.
  uint64_t executions = 0;
  uint64_t unknownMetadata = 0;
  int64_t unknownMetadataPs = 0;
  /// Metadata of events whose ids are not described, per plane.
  std::vector<IdTable<EventMetadata>> strayMetadata;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_READER_H
