//===- RunValues.h - Arguments and results of a run -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNVALUES_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNVALUES_H

#include "RunShared.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Support/HostTensor.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::record {

/// Checks that `arguments` fit `signature` in number, types and shapes.
llvm::Error checkArguments(const compile::Signature &signature,
                           llvm::ArrayRef<HostTensor> arguments);

/// The values that one request passes to the entry function: descriptors or
/// scalars of arguments and results, in memory of the pool. Used in the child.
class RunValues {
public:
  RunValues(const compile::Signature &signature,
            llvm::ArrayRef<HostTensor> arguments);

  /// For CompiledModel::entrySymbol.
  void **getAddresses() { return addresses.data(); }
  /// Restores the arguments that the model may have written to.
  void restoreArguments(llvm::ArrayRef<HostTensor> arguments);
  /// Releases the results of the last call; needed before the next.
  void releaseResults();
  /// Writes results and, according to `keep`, arguments in their current state;
  /// whether they fit.
  bool save(KeptValues keep, const SharedFile &file) const;

private:
  /// A descriptor in 8-byte words (allocated, aligned, offset, sizes, strides)
  /// or a scalar.
  using Words = std::vector<int64_t>;

  bool saveArray(const compile::ValueSignature &value, const Words &words,
                 const SharedFile &file) const;

  const compile::Signature &signature;
  std::vector<Words> values;
  std::vector<void *> addresses;
};

/// Reads values that RunValues::save wrote. Fails if `bytes` is damaged.
llvm::Error readValues(const compile::Signature &signature, KeptValues keep,
                       llvm::StringRef bytes, std::vector<HostTensor> &results,
                       std::vector<HostTensor> &arguments);

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNVALUES_H
