//===- Connection.h - A connection of a client ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_CONNECTION_H
#define MLIR_PROF_LIB_SERVE_SERVER_CONNECTION_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <httplib.h>
#include <string>

namespace mlirprof::serve {

/// A socket with a buffer, and with limits on the bytes and the time of each
/// request.
class Connection : public httplib::Stream {
public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMostHeader = 64 << 10;

  /// Takes the socket, which does not block. Ends what waits for the client
  /// when `isStopping`.
  Connection(int descriptor, const std::atomic<bool> &isStopping)
      : isStopping(isStopping), descriptor(descriptor) {}
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection() override;

  /// Receives what has come, without waiting. False at the end of the stream.
  bool receive();
  /// Whether the buffer holds the header of a request, or too much for one.
  bool hasHeader() const;

  /// Begins a request, which may take so many bytes and seconds.
  void limit(uint64_t bytes, double seconds);

  /// When its last request ended.
  Clock::time_point idleSince = Clock::now();
  /// Whether the rest of the request was not read: then it must not be taken
  /// for the next one.
  bool mustClose = false;
  std::string acceptedEncodings;
  std::string authorization;

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char *to, size_t size) override;
  ssize_t write(const char *from, size_t size) override;
  void get_remote_ip_and_port(std::string &, int &) const override {}
  void get_local_ip_and_port(std::string &, int &) const override {}
  socket_t socket() const override { return descriptor; }

private:
  /// False if the time of the request is over, if the client was silent for too
  /// long, or if the service ends.
  bool wait(short events) const;

  const std::atomic<bool> &isStopping;
  int descriptor;
  std::string buffer;
  size_t at = 0;
  uint64_t left = 0;
  Clock::time_point end;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_CONNECTION_H
