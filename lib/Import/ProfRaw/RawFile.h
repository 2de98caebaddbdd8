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

/// One instrumented module; `slots` are summed over threads, by probe.
struct RawModule {
  prof_raw_module facts = {};
  bool isDescribed = false;
  profile::Program program;
  std::vector<prof_raw_slot> slots;
  std::vector<prof_raw_instance> instances;
  std::vector<RawValues> values;
  /// By probe; empty, or without buckets if the distribution is unknown.
  std::vector<RawSpread> spread;
};

struct RawFile {
  prof_raw_clock clock = {};
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
