//===- Budget.cpp - The memory that a machine has for a model -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Deploy.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// Fails if `used` is more than `limit`.
static Error check(StringRef what, uint64_t used, std::optional<uint64_t> limit,
                   StringRef option, StringRef hint) {
  if (!limit || used <= *limit)
    return Error::success();
  return inputError("the model",
                    "needs " + formatCount(used, "byte") + " of " + what +
                        ", " + formatCount(used - *limit, "byte") +
                        " more than " + option + " allows",
                    hint);
}

Error deploy::checkBudget(const DeployedModel &model, const Budget &budget) {
  Sizes sizes = addSizes(model);
  if (Error error = check("code and constants",
                          sizes.code + sizes.constants + sizes.variables,
                          budget.flashBytes, "--max-flash",
                          "Quantize the model, or make it smaller."))
    return error;
  return check("memory for buffers and variables",
               model.arenaBytes + model.firstState.size(), budget.ramBytes,
               "--max-ram", "Make the largest tensors of the model smaller.");
}
