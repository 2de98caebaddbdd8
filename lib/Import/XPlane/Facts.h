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

namespace mlirprof::importer::xplane {

/// Adds the space's facts about the recording to the run: host, producer, begin
/// of the session (the clock's anchor), stats of the planes.
void readFacts(Space &space, profile::ProfileBuilder &builder);

/// Reads the HLO protos that planes carry as stats of event metadata (plane
/// /host:metadata) into the builder's modules. A proto that cannot be read
/// becomes a loss that names it.
void readHloModules(Space &space, profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_FACTS_H
