//===- LossText.cpp - Descriptions of losses ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/LossText.h"
#include "mlir-prof/Support/Units.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::report;

static bool isAtEnd(uint64_t count) {
  return count == std::numeric_limits<uint64_t>::max();
}

static bool isAtEnd(int64_t timePs) {
  return timePs == std::numeric_limits<int64_t>::max() ||
         timePs == std::numeric_limits<int64_t>::min();
}

bool report::isSaturated(const Loss &loss) {
  return isAtEnd(loss.count) || isAtEnd(loss.timePs);
}

std::string report::describeLoss(const Loss &loss) {
  constexpr const char *kAtLeast = "at least ";
  return loss.name + ": " + (isAtEnd(loss.count) ? kAtLeast : "") +
         formatCount(loss.count, "time") + ", " +
         (isAtEnd(loss.timePs) ? kAtLeast : "") + formatTime(loss.timePs);
}
