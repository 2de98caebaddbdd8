//===- Connection.cpp - A connection of a client --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

Connection::~Connection() { ::close(descriptor); }

bool Connection::receive() {
  char bytes[16384];
  while (buffer.size() - at <= kMostHeader) {
    ssize_t count = ::recv(descriptor, bytes, sizeof(bytes), MSG_DONTWAIT);
    if (count > 0)
      buffer.append(bytes, size_t(count));
    else if (count < 0 && errno == EINTR)
      continue;
    else
      return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
  return true;
}

bool Connection::hasHeader() const {
  return buffer.find("\r\n\r\n", at) != std::string::npos ||
         buffer.size() - at > kMostHeader;
}

void Connection::limit(uint64_t bytes, double seconds) {
  left = bytes;
  end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(seconds));
}

bool Connection::wait(short events) const {
  constexpr auto kMostSilence = std::chrono::seconds(10);
  Clock::time_point last = std::min(end, Clock::now() + kMostSilence);
  while (true) {
    auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
        last - Clock::now());
    if (time.count() <= 0 || isStopping)
      return false;
    struct pollfd ready = {descriptor, events, 0};
    int count = ::poll(&ready, 1, int(std::min<int64_t>(time.count(), 200)));
    if (count > 0)
      return true;
    if (count < 0 && errno != EINTR)
      return false;
  }
}

ssize_t Connection::read(char *to, size_t size) {
  size = size_t(std::min<uint64_t>(size, left));
  if (size == 0)
    return -1;
  if (at == buffer.size()) {
    buffer.clear();
    at = 0;
    if (!wait(POLLIN))
      return -1;
    if (!receive() && buffer.empty())
      return 0;
  }
  size = std::min(size, buffer.size() - at);
  memcpy(to, buffer.data() + at, size);
  at += size;
  left -= size;
  return ssize_t(size);
}

ssize_t Connection::write(const char *from, size_t size) {
  size_t sent = 0;
  while (sent != size) {
    ssize_t count = ::send(descriptor, from + sent, size - sent, MSG_NOSIGNAL);
    if (count > 0)
      sent += size_t(count);
    else if (errno != EINTR && errno != EAGAIN)
      return -1;
    else if (!wait(POLLOUT))
      return -1;
  }
  return ssize_t(size);
}
