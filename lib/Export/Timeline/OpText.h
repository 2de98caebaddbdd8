//===- OpText.h - Descriptions of measured ops ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_TIMELINE_OPTEXT_H
#define MLIR_PROF_LIB_EXPORT_TIMELINE_OPTEXT_H

#include "mlir-prof/Export/Exporter.h"

namespace mlirprof::exporter {

/// Names `owners`, ops of the module; owners after the fourth are only counted.
std::string describeOwners(const attribution::Ownership &ownership,
                           llvm::ArrayRef<uint32_t> owners);

/// Describes measured ops for viewers that show an event's arguments.
class OpText {
public:
  explicit OpText(const ExportInput &input) : input(input) {}

  /// Names and values: the op key's name in the recording, and the ops of the
  /// module that own it.
  std::vector<std::pair<llvm::StringRef, std::string>>
  describe(uint32_t op) const;

private:
  const ExportInput &input;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_TIMELINE_OPTEXT_H
