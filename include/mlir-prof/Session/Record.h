//===- Record.h - Recording a model -----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_RECORD_H
#define MLIR_PROF_SESSION_RECORD_H

#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir-prof/Session/Model.h"

namespace mlirprof {

/// How a model is compiled, run and measured.
struct RecordRequest {
  compile::CompileOptions compile;
  record::RunOptions run;
  /// What the arguments are; random ones where nothing is said.
  std::vector<record::InputSpec> inputs;
  std::vector<record::ShapeSpec> shapes;
  /// Whether the machine's peak is measured, for the roofline.
  bool measurePeak = true;
  record::KeepSamples keep = record::KeepSamples::No;
  NoteHandler onNote;
};

/// A request with the defaults of `mlir-prof record`: sampling, the default
/// pipeline for this machine, `threads` threads.
RecordRequest getDefaultRecordRequest(unsigned threads = 1);

/// The profile of a run of `built`, which was read from `path`, on `requests`:
/// with the work of its ops and, when asked for, the machine's peak.
llvm::Expected<profile::Profile> makeProfile(llvm::StringRef path,
                                             const RecordRequest &request,
                                             const BuiltModel &built,
                                             llvm::ArrayRef<Arguments> requests,
                                             const record::RunResult &run);

/// Compiles the module `path`, runs it and gives its profile. A model that does
/// not run to its end is an error.
llvm::Expected<profile::Profile>
recordModel(llvm::StringRef path,
            RecordRequest request = getDefaultRecordRequest());

/// Whether nothing had warmed up the first iteration of a run.
bool isCold(const profile::Run &run);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_RECORD_H
