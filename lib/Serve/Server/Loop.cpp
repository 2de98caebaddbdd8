//===- Loop.cpp - Connections and the threads that serve them -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Error systemError(llvm::StringRef where) {
  return inputError(where, std::generic_category().message(errno));
}

Loop::~Loop() {
  for (int descriptor : {listening, events})
    if (descriptor >= 0)
      ::close(descriptor);
}

llvm::Expected<uint16_t> Loop::listen(llvm::StringRef host, uint16_t port) {
  struct addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  std::string where = host.str() + ":" + std::to_string(port);
  if (int status = ::getaddrinfo(host.str().c_str(),
                                 std::to_string(port).c_str(), &hints, &found))
    return inputError(where, ::gai_strerror(status));
  listening =
      ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int on = 1;
  ::setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  bool isBound = ::bind(listening, found->ai_addr, found->ai_addrlen) == 0 &&
                 ::listen(listening, 512) == 0;
  ::freeaddrinfo(found);
  if (!isBound)
    return systemError(where);
  struct sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  if (::getsockname(listening, (struct sockaddr *)&address, &size) != 0)
    return systemError(where);
  return ntohs(address.ss_family == AF_INET6
                   ? ((struct sockaddr_in6 *)&address)->sin6_port
                   : ((struct sockaddr_in *)&address)->sin_port);
}

void Loop::watch(std::unique_ptr<Connection> connection, bool isNew) {
  int descriptor = int(connection->socket());
  struct epoll_event event = {};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
  event.data.fd = descriptor;
  // Before the event can come.
  idle[descriptor] = std::move(connection);
  ::epoll_ctl(events, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor,
              &event);
}

void Loop::accept() {
  while (true) {
    int descriptor =
        ::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0)
      return;
    int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    auto connection = std::make_unique<Connection>(descriptor, isStopping);
    std::lock_guard<std::mutex> guard(mutex);
    if (connections == kMostConnections)
      closeOldest();
    if (connections == kMostConnections)
      continue;
    ++connections;
    watch(std::move(connection), /*isNew=*/true);
  }
}

void Loop::receive(int descriptor) {
  std::lock_guard<std::mutex> guard(mutex);
  auto it = idle.find(descriptor);
  if (it == idle.end())
    return;
  std::unique_ptr<Connection> connection = std::move(it->second);
  idle.erase(it);
  bool isOpen = connection->receive();
  if (connection->hasHeader()) {
    if (waiting.size() < kMostWaiting) {
      waiting.push_back(std::move(connection));
      isWork.notify_one();
      return;
    }
    static const std::string busy =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"
        "Content-Length: 0\r\nConnection: close\r\n\r\n";
    ::send(descriptor, busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    isOpen = false;
  }
  if (isOpen)
    watch(std::move(connection), /*isNew=*/false);
  else
    --connections;
}

void Loop::closeOldest() {
  auto oldest = llvm::min_element(idle, [](const auto &a, const auto &b) {
    return a.second->idleSince < b.second->idleSince;
  });
  if (oldest == idle.end())
    return;
  idle.erase(oldest);
  --connections;
}

void Loop::closeIdle() {
  constexpr auto kMostIdle = std::chrono::minutes(5);
  auto now = Connection::Clock::now();
  std::lock_guard<std::mutex> guard(mutex);
  for (auto it = idle.begin(); it != idle.end();) {
    bool isOld = now - it->second->idleSince > kMostIdle;
    connections -= isOld;
    it = isOld ? idle.erase(it) : std::next(it);
  }
}

void Loop::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    isWork.wait(lock, [&] { return isStopping || !waiting.empty(); });
    if (isStopping)
      return;
    std::unique_ptr<Connection> connection = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    bool isOpen = handler.handle(*connection);
    lock.lock();
    if (!isOpen) {
      connection.reset();
      --connections;
    } else if (connection->hasHeader()) {
      // The client sent the next request already.
      waiting.push_back(std::move(connection));
      isWork.notify_one();
    } else {
      watch(std::move(connection), /*isNew=*/false);
    }
  }
}

llvm::Error Loop::run(int stopDescriptor) {
  events = ::epoll_create1(EPOLL_CLOEXEC);
  for (int descriptor : {listening, stopDescriptor}) {
    struct epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    if (::epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) != 0)
      return systemError("the service");
  }
  unsigned count = std::clamp(std::thread::hardware_concurrency(), 8u, 16u);
  for (unsigned i = 0; i != count; ++i)
    threads.emplace_back([this] { work(); });
  bool isStopped = false;
  while (!isStopped) {
    struct epoll_event ready[64];
    int found = ::epoll_wait(events, ready, 64, 10000);
    for (int i = 0; i < found; ++i) {
      isStopped |= ready[i].data.fd == stopDescriptor;
      if (ready[i].data.fd == listening)
        accept();
      else if (ready[i].data.fd != stopDescriptor)
        receive(ready[i].data.fd);
    }
    closeIdle();
  }
  {
    std::lock_guard<std::mutex> guard(mutex);
    isStopping = true;
  }
  isWork.notify_all();
  for (std::thread &thread : threads)
    thread.join();
  return llvm::Error::success();
}
