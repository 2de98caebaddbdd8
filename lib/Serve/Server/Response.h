//===- Response.h - Answers as HTTP -----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_SERVER_RESPONSE_H
#define MLIR_PROF_LIB_SERVE_SERVER_RESPONSE_H

#include "../Api/Api.h"
#include "Connection.h"

namespace mlirprof::serve {

/// The time that a client may take for a body, or for a piece of a file.
inline constexpr double kBodySeconds = 60;

/// Writes `answer` as the response on `connection`: with the headers that keep
/// browsers from running what it holds, an ETag, and compressed if the client
/// accepts it.
void show(const httplib::Request &request, Answer answer,
          Connection &connection, httplib::Response &response);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_SERVER_RESPONSE_H
