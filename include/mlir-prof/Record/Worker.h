//===- Worker.h - A process that works in parallel --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_WORKER_H
#define MLIR_PROF_RECORD_WORKER_H

#include "mlir-prof/Record/ModelServer.h"

namespace mlirprof::record {

/// A child process that answers requests, one at a time, while this process
/// goes on: the work may crash, hang, or eat memory. It does not run on the
/// processor of models with one thread, if there is another one. After an
/// error the child has ended, and each further call fails.
class Worker {
public:
  using Work =
      llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef request)>;

  /// Forks. The child calls `work` on a thread with a stack that passes can
  /// use. ServerOptions::buildSeconds limits the time of one request.
  static llvm::Expected<std::unique_ptr<Worker>>
  start(Work work, const ServerOptions &options);
  virtual ~Worker();

  /// Begins with `request`; the answer to the last one must have been taken.
  virtual llvm::Error begin(llvm::StringRef request) = 0;
  /// Waits for the answer. The error of the work itself does not end the child.
  virtual llvm::Expected<std::string> finish() = 0;
  /// Whether it has not ended by an error.
  virtual bool isAlive() const = 0;
};

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_WORKER_H
