//===- OpenApi.cpp - GET /openapi.json ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &, const Request &) {
  Answer answer;
  answer.body = describeApi();
  return answer;
}

Route route::OpenApi() {
  return {"GET", "/openapi.json", "This description.", {}, run};
}
