//===- Health.cpp - GET /health -------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Support/Version.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &, const Request &) {
  return makeJson([](llvm::json::OStream &json) {
    json.attribute("status", "ready");
    json.attribute("version", getVersion());
  });
}

Route route::Health() {
  return {"GET", "/health", "Whether the service answers.", {}, run};
}
