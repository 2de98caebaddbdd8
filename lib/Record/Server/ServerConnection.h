//===- ServerConnection.h - The parent of a serving process -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_SERVER_SERVERCONNECTION_H
#define MLIR_PROF_LIB_RECORD_SERVER_SERVERCONNECTION_H

#include "ModelServerChild.h"
#include "mlir-prof/Support/Process.h"

#include <optional>

namespace mlirprof::record {

/// The end of a wait.
struct Deadline {
  /// 0: an hour.
  explicit Deadline(double wanted);

  double seconds;
  double end;
};

/// The parent's side of a process that answers commands, one at a time.
class ServerConnection {
public:
  static llvm::Expected<ServerConnection> create(const ServerOptions &options);

  /// Starts the process, which calls `run` with its end of a socket.
  llvm::Error start(llvm::function_ref<void(int control)> run);
  llvm::Error ask(const ServerCommand &command, const char *activity);
  /// If there is none, or it is an error, the process has ended.
  llvm::Expected<ServerAnswer> waitForAnswer(const Deadline &deadline,
                                             const char *activity);
  /// Both.
  llvm::Expected<ServerAnswer> call(const ServerCommand &command,
                                    double seconds, const char *activity);

  bool isOpen() const { return process.has_value(); }

  const SharedRunMapping &getShared() const { return shared; }
  const RunFiles &getFiles() const { return files; }
  const ServerOptions &getOptions() const { return options; }

private:
  ServerConnection(SharedRunMapping shared, RunFiles files,
                   const ServerOptions &options)
      : shared(std::move(shared)), files(std::move(files)), options(options) {}

  std::optional<ExitStatus> end();
  bool receive(char *&position, const char *last);
  llvm::Error explainEnd(const char *activity);

  SharedRunMapping shared;
  RunFiles files;
  ServerOptions options;
  std::optional<Process> process;
};

/// The processor of this process at the first call.
int getSharedProcessor();

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_SERVER_SERVERCONNECTION_H
