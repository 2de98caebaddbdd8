//===- Incumbent.cpp - The best version of the model so far ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Incumbent.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;

void Incumbent::setBaseline(ModelVersion version) {
  baseline = std::move(version);
  baselineText = baseline.server->getModel().textBytes;
  best.reset();
}

void Incumbent::setMeasured(double seconds, std::vector<UnseenResult> unseen) {
  best->seconds = seconds;
  best->unseen = std::move(unseen);
}

void Incumbent::addError(double error) {
  ModelVersion &version = best ? *best : baseline;
  version.error = std::max(version.error, error);
}

void Incumbent::adopt(ModelVersion version) {
  bestText = version.server->getModel().textBytes;
  best = std::move(version);
}

void Incumbent::reset() { best.reset(); }

void Incumbent::replaceServer(OwnedServer server) {
  (best ? *best : baseline).server = std::move(server);
}

double Incumbent::getRatio() const {
  return baseline.seconds > 0 && get().seconds > 0
             ? get().seconds / baseline.seconds
             : 1;
}
