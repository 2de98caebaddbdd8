//===- RecordResults.h - Results of a recorded model ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_RECORDRESULTS_H
#define MLIR_PROF_TOOLS_RECORDRESULTS_H

#include "RecordOptions.h"

using namespace mlirprof::compile;
using namespace mlirprof::record;

namespace mlirprof {

/// The expected value of one output of the model.
struct Reference {
  /// Index of the output: of the results, or of the memory arguments if the
  /// model does not have results.
  size_t output = 0;
  std::string path;
  HostTensor expected;
};

/// Reads the files of --compare. A name that does not match a result is a
/// UsageError.
llvm::Expected<std::vector<Reference>>
readReferences(const RecordOptions &options, const Signature &signature);

/// The files in `folder` to which results are written, named as in the model.
std::vector<std::string> getResultPaths(llvm::StringRef folder,
                                        const Signature &signature);

/// Writes the results of the last iteration, one file each. Fails if the
/// model's process did not pass them on.
llvm::Error saveResults(llvm::StringRef folder, const Signature &signature,
                        const RunResult &run);

/// Returns a GateError if a result differs from its reference.
llvm::Error compareResults(const RecordOptions &options,
                           llvm::ArrayRef<Reference> references,
                           const Signature &signature, const RunResult &run);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDRESULTS_H
