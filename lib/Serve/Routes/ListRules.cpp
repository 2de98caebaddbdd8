//===- ListRules.cpp - GET /rules -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Advise/Advise.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &, const Request &) {
  return makeJson([](llvm::json::OStream &json) {
    json.attributeArray("rules", [&] {
      for (const advise::AdviceRule &rule : advise::getAdviceRules())
        json.object([&] {
          json.attribute("name", rule.name);
          json.attribute("description", rule.description);
          json.attribute("needs", rule.needs);
        });
    });
  });
}

Route route::ListRules() {
  return {"GET",
          "/rules",
          "The rules of advice, and the data that they need.",
          {},
          run};
}
