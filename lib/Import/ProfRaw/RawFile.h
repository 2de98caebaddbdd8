//===- RawFile.h - The runtime's file in memory -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PROFRAW_RAWFILE_H
#define MLIR_PROF_LIB_IMPORT_PROFRAW_RAWFILE_H

#include "mlir-prof/Import/ProfRaw.h"
#include "mlir-prof/Runtime/prof_raw.h"

#include <map>
#include <tuple>
#include <vector>

namespace mlirprof::importer::profraw {

bool detect(llvm::StringRef bytes);

struct RawValues {
  prof_raw_values header = {};
  /// header.tuples entries, each a count and header.length values.
  std::vector<uint64_t> words;
};

struct RawSpread {
  struct Bucket {
    uint64_t count = 0;
    int64_t ticks = 0;
  };
  int64_t min = 0;
  int64_t max = 0;
  /// The buckets that contain executions, in ascending order.
  std::vector<Bucket> buckets;
};

/// A probe, or a table of values, and the dispatch that ran its code (an index
/// into Program::instances) or kNone.
struct RawPlace {
  uint32_t number = 0;
  uint32_t instance = trace::kNone;

  bool operator<(const RawPlace &other) const {
    return std::tie(number, instance) < std::tie(other.number, other.instance);
  }
};
/// The inverse of PROF_RAW_PLACE; `word` has a number that fits into 32 bits.
inline RawPlace decodePlace(uint64_t word) {
  return {uint32_t(word), uint32_t(word >> 32) - 1};
}

/// The measurements of a probe in a dispatch, summed over threads.
struct RawRow {
  RawPlace place;
  prof_raw_slot slot = {};
  /// Without buckets if the distribution is unknown.
  RawSpread spread;
};

/// One instrumented module.
struct RawModule {
  prof_raw_module facts = {};
  bool isDescribed = false;
  profile::Program program;
  /// One for each probe, without a dispatch; then those with one.
  std::vector<RawRow> rows;
  /// Positions in `rows` of those with a dispatch.
  std::map<RawPlace, uint32_t> rowOf;
  std::vector<prof_raw_instance> instances;
  std::vector<RawValues> values;

  /// The row of a place, or kNone.
  uint32_t findRow(const RawPlace &place) const;
};

struct RawFile {
  prof_raw_clock clock = {};
  /// The name of the counter, and its unit; empty for a clock.
  std::string counter, unit;
  std::vector<prof_raw_thread> threads;
  std::vector<RawModule> modules;
  std::vector<prof_raw_loss> losses;
  uint64_t unknownSections = 0;
};

/// Checks all lengths, the checksum, and that records lie within their module:
/// probes within its Program, tables within its sites.
llvm::Expected<RawFile> readRawFile(llvm::StringRef bytes,
                                    llvm::StringRef where,
                                    const ProfRawOptions &options);

} // namespace mlirprof::importer::profraw

#endif // MLIR_PROF_LIB_IMPORT_PROFRAW_RAWFILE_H
