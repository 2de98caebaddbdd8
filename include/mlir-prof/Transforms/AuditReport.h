//===- AuditReport.h - What passes did to identities ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_AUDITREPORT_H
#define MLIR_PROF_TRANSFORMS_AUDITREPORT_H

#include "mlir-prof/Transforms/Identity.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::transforms {

enum class AuditFormat : uint8_t { Text, Json };

/// Writes what each pass of `log` did to the identities, and a summary by pass
/// and kind of op, the most costly first. `nodeTimePs` holds the time of each
/// node of `program`, or is empty when there is none; the time of a loss is
/// that of the nodes concerned: an upper bound, as a node may have other ops
/// left. Shares are of the time of all nodes of the level with the most.
void writeAudit(const AuditLog &log, const profile::Program &program,
                llvm::ArrayRef<int64_t> nodeTimePs, AuditFormat format,
                llvm::raw_ostream &os);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_AUDITREPORT_H
