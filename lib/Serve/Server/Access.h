//===- Access.h - Access to the service -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_ACCESS_H
#define MLIR_PROF_LIB_SERVE_SERVER_ACCESS_H

#include "mlir-prof/Serve/Serve.h"

namespace mlirprof::serve {

/// Whether `host` is an address or a name of this machine alone.
bool isLoopback(llvm::StringRef host);

/// Decides who may ask: knows the names by which the service may be called, so
/// that a page of another origin cannot reach it under a name of its own, and
/// the token.
class Access {
public:
  /// Fails for an unreadable or short token, and without one for hosts that
  /// others reach.
  static llvm::Expected<Access> make(const ServeOptions &options);

  /// `header` is the Host header.
  bool allowsHost(llvm::StringRef header) const;
  /// `header` is the Authorization header, "Bearer TOKEN". Takes as long for
  /// every wrong token of a length.
  bool allowsToken(llvm::StringRef header) const;

private:
  std::string token;
  std::vector<std::string> hosts;
  bool isLocal = true;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_ACCESS_H
