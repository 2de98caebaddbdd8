//===- ResultCheck.cpp - Is a candidate right? ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/CompareTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;

static std::string describe(const HostTensor &tensor) {
  std::string text = "tensor<";
  for (int64_t dimension : tensor.shape)
    text += std::to_string(dimension) + "x";
  return text + tensor.elementType + ">";
}

static bool isInteger(llvm::StringRef type) {
  if (type == "index")
    return true;
  if (!type.consume_front("si") && !type.consume_front("ui"))
    type.consume_front("i");
  return !type.empty() && llvm::all_of(type, llvm::isDigit);
}

/// The reason is about this array alone.
static ResultCheck checkArray(const HostTensor &actual,
                              const HostTensor &expected, double maxError) {
  if (actual.elementType != expected.elementType ||
      actual.shape != expected.shape)
    return {0,
            "is a " + describe(actual) + " instead of a " + describe(expected)};
  bool exact = isInteger(expected.elementType);
  // With an infinite tolerance only that counts as different which is finite on
  // one side.
  double tolerance = exact ? 0 : std::numeric_limits<double>::infinity();
  auto compared = compareTensors(actual, expected, /*rtol=*/0, tolerance);
  if (!compared) {
    // A type whose values are not known here: only the same bits are right.
    llvm::consumeError(compared.takeError());
    return {0, actual.bytes == expected.bytes ? "" : "has other bits"};
  }
  if (exact)
    return {0,
            compared->different == 0
                ? ""
                : llvm::formatv("{0} of {1} integers differ, by up to {2:f0}",
                                compared->different, compared->elements,
                                compared->maxAbsolute)
                      .str()};
  ResultCheck check;
  check.error = compared->relativeToMax;
  if (compared->notFinite != 0)
    check.reason = llvm::formatv("{0} of {1} elements are not finite",
                                 compared->notFinite, compared->elements);
  else if (compared->different != 0)
    check.reason =
        llvm::formatv("{0} of {1} elements differ where the expected ones are "
                      "not finite",
                      compared->different, compared->elements);
  // Also when one of them is not a number.
  else if (!(check.error <= maxError))
    check.reason = llvm::formatv("an error of {0:e2} of the largest element, "
                                 "where {1:e2} is allowed",
                                 check.error, maxError);
  return check;
}

/// "result 1 of request 2: ", as far as there are several.
static std::string describePlace(size_t request, size_t requests, size_t array,
                                 size_t arrays) {
  std::string text = "result";
  if (arrays > 1)
    text += " " + std::to_string(array);
  if (requests > 1)
    text += " of request " + std::to_string(request);
  return text + ": ";
}

ResultCheck
optimize::checkResults(const std::vector<std::vector<HostTensor>> &actual,
                       const std::vector<std::vector<HostTensor>> &expected,
                       double maxError) {
  if (actual.size() != expected.size())
    return {0, llvm::formatv("{0} requests were answered instead of {1}",
                             actual.size(), expected.size())};
  ResultCheck all;
  for (size_t r = 0; r != expected.size(); ++r) {
    size_t arrays = expected[r].size();
    if (actual[r].size() != arrays) {
      all.reason =
          llvm::formatv("{0} results instead of {1}", actual[r].size(), arrays);
      return all;
    }
    for (size_t i = 0; i != arrays; ++i) {
      ResultCheck one = checkArray(actual[r][i], expected[r][i], maxError);
      all.error = std::max(all.error, one.error);
      if (one.isRight())
        continue;
      all.reason = describePlace(r, expected.size(), i, arrays) + one.reason;
      return all;
    }
  }
  return all;
}

std::string optimize::checkSpeed(double seconds, double operations, double peak,
                                 double operationsFactor) {
  if (!(seconds > 0) || !std::isfinite(seconds))
    return llvm::formatv("a time of {0} s is not possible", seconds);
  double rate = operations / seconds, most = peak * operationsFactor;
  if (peak <= 0 || rate <= most)
    return "";
  return llvm::formatv("{0:f1} Gop/s, which is more than the {1:f1} that this "
                       "machine can do: it does not do its work",
                       rate * 1e-9, most * 1e-9);
}
