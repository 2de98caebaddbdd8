//===- Loop.h - Connections and the threads that serve them -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_LOOP_H
#define MLIR_PROF_LIB_SERVE_SERVER_LOOP_H

#include "Handler.h"
#include "llvm/Support/Error.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace mlirprof::serve {

/// Accepts connections and waits for requests on all of them in one thread. A
/// request whose header has come goes to a thread of a pool, so that idle and
/// slow connections do not hold one.
class Loop {
public:
  Loop(Handler &handler) : handler(handler) {}
  ~Loop();

  /// Binds to an address; `port` 0 is any. The port.
  llvm::Expected<uint16_t> listen(llvm::StringRef host, uint16_t port);
  /// Serves until a byte can be read from `stopDescriptor`.
  llvm::Error run(int stopDescriptor);

private:
  static constexpr size_t kMostConnections = 1024;
  static constexpr size_t kMostWaiting = 128;

  void accept();
  void receive(int descriptor);
  void closeIdle();
  /// Closes the connection that has been idle for longest.
  void closeOldest();
  /// Lets the loop wait for the next request.
  void watch(std::unique_ptr<Connection> connection, bool isNew);
  void work();

  Handler &handler;
  int listening = -1;
  int events = -1;
  /// Guards what follows.
  std::mutex mutex;
  std::condition_variable isWork;
  std::unordered_map<int, std::unique_ptr<Connection>> idle;
  std::deque<std::unique_ptr<Connection>> waiting;
  size_t connections = 0;
  std::atomic<bool> isStopping = false;
  std::vector<std::thread> threads;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_LOOP_H
