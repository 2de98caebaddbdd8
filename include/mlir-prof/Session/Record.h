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

/// How to compile, run and measure a model.
struct RecordRequest {
  compile::CompileOptions compile;
  record::RunOptions run;
  /// The arguments; random ones if none are given.
  std::vector<record::InputSpec> inputs;
  std::vector<record::ShapeSpec> shapes;
  /// Whether to measure the machine's peak, for the roofline.
  bool measurePeak = true;
  record::KeepSamples keep = record::KeepSamples::No;
  NoteHandler onNote;
};

/// A request with the defaults of `mlir-prof record`: sampling, the default
/// pipeline for this machine, `threads` threads.
RecordRequest getDefaultRecordRequest(unsigned threads = 1);

/// The arguments of the runs of the function `entry` of `built.input`, see
/// record::makeArguments, without compiling the model. Fails if an op that
/// every call executes cannot have their shapes.
llvm::Expected<std::vector<Arguments>>
makeRequests(const BuiltModel &built, llvm::StringRef entry,
             llvm::ArrayRef<record::InputSpec> inputs,
             llvm::ArrayRef<record::ShapeSpec> shapes, uint64_t memory = 0);

/// The profile of a run of `built`, which was read from `path`, on `requests`:
/// with the work of its ops and, if requested, the machine's peak.
llvm::Expected<profile::Profile> makeProfile(llvm::StringRef path,
                                             const RecordRequest &request,
                                             const BuiltModel &built,
                                             llvm::ArrayRef<Arguments> requests,
                                             const record::RunResult &run);

/// Compiles the module `path`, or takes the compiled model there, runs it and
/// returns its profile. It is an error
/// if the model does not run to completion.
llvm::Expected<profile::Profile>
recordModel(llvm::StringRef path,
            RecordRequest request = getDefaultRecordRequest());

/// Whether the first iteration of a run was executed without a warm-up.
bool isCold(const profile::Run &run);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_RECORD_H
