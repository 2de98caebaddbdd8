//===- AuditReport.h - Changes that passes made to identities ---*- C++ -*-===//
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

/// Writes the changes that each pass of `log` made to the identities, and a
/// summary by pass and kind of op, the most costly first. `nodeTimePs` holds
/// the time of each node of `program`, or is empty if there are no times. The
/// time of a loss is that of the affected nodes: an upper bound, because a node
/// may still have other ops. Shares are relative to the total time of the level
/// whose nodes have the most.
void writeAudit(const AuditLog &log, const profile::Program &program,
                llvm::ArrayRef<int64_t> nodeTimePs, AuditFormat format,
                llvm::raw_ostream &os);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_AUDITREPORT_H
