//===- Facts.h - Facts about a recording ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_FACTS_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_FACTS_H

#include "Space.h"
#include "mlir-prof/Profile/ProfileBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::importer::xplane {

/// Adds the space's facts about the recording to the run: host, producer, begin
/// of the session (the clock's anchor), stats of the planes.
void readFacts(Space &space, profile::ProfileBuilder &builder);

/// An HLO proto as a stat of event metadata.
struct HloProtoStat {
  /// The metadata's name: "jit_f(662)".
  llvm::StringRef name;
  int64_t programId = 0;
  /// May be compressed.
  llvm::StringRef proto;
};

/// Calls `use` for every HLO proto in event metadata.
void forEachHloProto(Space &space,
                     llvm::function_ref<void(const HloProtoStat &)> use);

/// Reads the HLO protos that planes carry as stats of event metadata (plane
/// /host:metadata) into the builder's modules. A proto that cannot be read
/// becomes a loss that names it.
void readHloModules(Space &space, profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_FACTS_H
