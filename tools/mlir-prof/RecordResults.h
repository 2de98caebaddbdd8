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

/// What one output of the model should be.
struct Reference {
  /// Which output: of the results, or of the arguments that are memory when the
  /// model has no result.
  size_t output = 0;
  std::string path;
  HostTensor expected;
};

/// Reads the files of --compare. A name that no result has is a UsageError.
llvm::Expected<std::vector<Reference>>
readReferences(const RecordOptions &options, const Signature &signature);

/// The files in `folder` that results go to, by their names in the model.
std::vector<std::string> getResultPaths(llvm::StringRef folder,
                                        const Signature &signature);

/// Writes the results of the last iteration, one file each. Fails when the
/// model's process did not hand them over.
llvm::Error saveResults(llvm::StringRef folder, const Signature &signature,
                        const RunResult &run);

/// A GateError when a result is not what it should be.
llvm::Error compareResults(const RecordOptions &options,
                           llvm::ArrayRef<Reference> references,
                           const Signature &signature, const RunResult &run);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDRESULTS_H
