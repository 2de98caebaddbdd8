//===- Access.cpp - Access to the service ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <arpa/inet.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

static constexpr size_t kLeastToken = 16;

static bool isAddress(llvm::StringRef host) {
  unsigned char bytes[16];
  std::string text = host.str();
  return ::inet_pton(AF_INET, text.c_str(), bytes) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

bool serve::isLoopback(llvm::StringRef host) {
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && isAddress(host));
}

llvm::Expected<Access> Access::make(const ServeOptions &options) {
  Access access;
  access.isLocal = isLoopback(options.host);
  access.hosts = options.allowedHosts;
  if (options.tokenFile.empty()) {
    if (access.isLocal)
      return access;
    return usageError("--host=" + options.host +
                      " lets other machines in: give --token-file=FILE, whose "
                      "first line is the token that they must show");
  }
  auto buffer = openInput(options.tokenFile);
  if (!buffer)
    return buffer.takeError();
  access.token = (*buffer)
                     ->getBuffer()
                     .take_until([](char c) { return c == '\n'; })
                     .trim()
                     .str();
  if (access.token.size() < kLeastToken)
    return inputError(options.tokenFile,
                      "holds a token of less than 16 characters",
                      "Make one with: openssl rand -hex 32 > FILE");
  char name[256] = {};
  if (!access.isLocal && ::gethostname(name, sizeof(name) - 1) == 0)
    access.hosts.push_back(name);
  return access;
}

bool Access::allowsHost(llvm::StringRef header) const {
  llvm::StringRef host = header;
  if (host.consume_front("[")) {
    host = host.take_until([](char c) { return c == ']'; });
  } else {
    host = host.take_until([](char c) { return c == ':'; });
  }
  if (isLoopback(host) || llvm::is_contained(hosts, host.lower()) ||
      llvm::is_contained(hosts, host))
    return true;
  // Names can be made to point here; addresses cannot.
  return !isLocal && isAddress(host);
}

bool Access::allowsToken(llvm::StringRef header) const {
  if (token.empty())
    return true;
  header.consume_front("Bearer ");
  unsigned char different = header.size() != token.size();
  for (size_t i = 0; i != token.size(); ++i)
    different |=
        (unsigned char)(token[i] ^ (i < header.size() ? header[i] : '\0'));
  return different == 0;
}
