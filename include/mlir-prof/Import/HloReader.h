//===- HloReader.h - Reads HLO protos ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_IMPORT_HLOREADER_H
#define MLIR_PROF_IMPORT_HLOREADER_H

#include "mlir-prof/Profile/HloModule.h"
#include "mlir-prof/Support/Loss.h"
#include "mlir-prof/Support/MemoryBudget.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer {

/// Memory limit for the HLO protos of one file: half of the limit for reading
/// the resulting profile.
inline MemoryBudget makeHloBudget(uint64_t protoBytes = 0) {
  return MemoryBudget(uint64_t(256) << 20, protoBytes,
                      MemoryBudget::kFactor / 2);
}

/// Reads `bytes`, an XLA HloProto in binary form, into `module` (all but the
/// program id, which the proto does not hold). Dangling references and fields
/// that deviate from the format are counted in `losses`. Fails if `bytes`,
/// which `where` names, are not a protobuf, or need more than `budget` (if that
/// is null, a separate budget).
llvm::Error readHloProto(llvm::StringRef bytes, llvm::StringRef where,
                         profile::HloModule &module, LossList &losses,
                         MemoryBudget *budget = nullptr);

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_HLOREADER_H
