//===- Handler.h - From HTTP to the API -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_HANDLER_H
#define MLIR_PROF_LIB_SERVE_SERVER_HANDLER_H

#include "../Api/Api.h"
#include "Access.h"
#include "Connection.h"

namespace mlirprof::serve {

/// httplib's parser and writer of requests over class Connection.
class Handler : public httplib::Server {
public:
  Handler(Api &api, const Access &access);

  /// Answers the request that the connection's buffer begins with. Whether the
  /// connection stays open.
  bool handle(Connection &connection);

private:
  void respond(const httplib::Request &request, httplib::Response &response,
               const httplib::ContentReader *body);
  /// Answers requests that never reach a route; whether it did.
  bool refuse(const httplib::Request &request, httplib::Response &response);
  void showPage(const httplib::Request &request, httplib::Response &response);
  /// Reads a body into `to`; an error if it is too large or broken.
  llvm::Error readBody(const httplib::Request &request,
                       const httplib::ContentReader &body,
                       llvm::StringRef scratch, Request &to);

  Api &api;
  const Access &access;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_HANDLER_H
