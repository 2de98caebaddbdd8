//===- Lwp.h - Importers of light-weight profiling --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_LWP_LWP_H
#define MLIR_PROF_LIB_IMPORT_LWP_LWP_H

#include "mlir-prof/Import/Importer.h"

#include <map>

namespace mlirprof::importer::lwp {

bool detectJson(llvm::StringRef bytes);
llvm::Error readJson(const ImportInput &input,
                     profile::ProfileBuilder &builder);
bool detectCsv(llvm::StringRef bytes);
llvm::Error readCsv(const ImportInput &input, profile::ProfileBuilder &builder);

/// Ids are indices of probes: larger ones are rejected.
inline constexpr uint64_t kMostIds = uint64_t(1) << 20;

/// The data on one function or loop in the files.
struct Measured {
  std::string function;
  bool isFunction = false;
  /// Id of the enclosing function or loop, or kNone.
  uint32_t parent = trace::kNone;
  uint64_t begin = 0;
  uint64_t end = 0;
  /// The place in the source, or "".
  std::string location = {};
  /// For all executions; `self` excludes nested ones.
  int64_t cycles = 0;
  int64_t self = 0;
  uint64_t count = 0;
};

/// Adds a program with one probe per id, and the measurements of each. Returns
/// the op keys by id. Cycles are treated as nanoseconds, since their length is
/// unknown.
std::vector<uint32_t> addMeasured(const std::map<uint32_t, Measured> &measured,
                                  profile::ProfileBuilder &builder);

/// The name of its events and op keys.
std::string getName(const Measured &measured, uint32_t id);

} // namespace mlirprof::importer::lwp

#endif // MLIR_PROF_LIB_IMPORT_LWP_LWP_H
