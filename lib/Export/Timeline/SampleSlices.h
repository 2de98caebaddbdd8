//===- SampleSlices.h - Samples as intervals --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_TIMELINE_SAMPLESLICES_H
#define MLIR_PROF_LIB_EXPORT_TIMELINE_SAMPLESLICES_H

#include "mlir-prof/Export/Exporter.h"

#include <map>

namespace mlirprof::exporter {

/// The text of a slice: the ops of the module that own its samples, or the
/// measured op.
struct SliceText {
  std::string name;
  /// The op, if there is exactly one; else empty.
  std::string op;
  std::string location;
  /// Their indices in the module, numbered as in reports, "3,4"; or empty.
  std::string owners;
};

/// The samples that a run keeps, as intervals of their threads: neighboring
/// samples of the same ops at the level of the module are merged if no other
/// time lies between them. They are named by those ops. Parts of the run are
/// not changed.
class SampleSlices {
public:
  SampleSlices(const ExportInput &input, uint32_t run);

  /// By (begin, -end); `name` is an index into getTexts() of slices, of other
  /// events into Profile::strings; `op` is kNone.
  const profile::EventColumns &getEvents() const { return events; }
  /// Number of samples of an event; 0 if it is not a slice.
  uint64_t getSamples(size_t event) const { return samples[event]; }
  llvm::ArrayRef<SliceText> getTexts() const { return texts; }

private:
  struct Slice {
    uint32_t track = 0;
    uint32_t name = 0;
    int64_t beginPs = 0;
    int64_t endPs = 0;
    uint64_t samples = 0;
  };

  uint32_t getText(uint32_t op);
  SliceText makeText(uint32_t op) const;
  void addSample(const profile::EventColumns &kept, size_t event);
  void sort();

  const ExportInput &input;
  std::vector<Slice> slices;
  /// The last slice of each track.
  std::map<uint32_t, size_t> lastOf;
  std::vector<uint32_t> textOfOp;
  std::map<std::vector<uint32_t>, uint32_t> textOfOwners;
  std::vector<SliceText> texts;
  profile::EventColumns events;
  std::vector<uint64_t> samples;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_TIMELINE_SAMPLESLICES_H
