//===- RunFile.h - Runs on devices as JSON ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_RUNFILE_H
#define MLIR_PROF_DEVICE_RUNFILE_H

#include "mlir-prof/Device/Measure.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::device {

/// Writes a run as JSON ("mlir-prof.launches/1"; docs/schemas/launches.json
/// describes it). `hash` is the content hash of the file with the program.
void writeRun(const DeviceRun &run, const Program &program,
              llvm::StringRef hash, llvm::raw_ostream &os);

/// Reads what writeRun() wrote. `where` names the text. Fails if it is not a
/// run of `program`, whose file has the content hash `hash`.
llvm::Expected<DeviceRun> readRun(llvm::StringRef text, const Program &program,
                                  llvm::StringRef hash, llvm::StringRef where);

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_RUNFILE_H
