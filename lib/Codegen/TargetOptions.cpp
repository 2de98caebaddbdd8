//===- TargetOptions.cpp - The target described by a pass's options -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// A machine without vectors computes one element at a time, as if its
/// registers had the bits of a byte. A scalable vector register has at most
/// 2048 bits, an AMX tile 8192.
static constexpr unsigned kLeastVectorBits = 8;
static constexpr unsigned kMostVectorBits = 8192;
static constexpr unsigned kMostVectorRegisters = 1024;

FailureOr<TargetModel> codegen::makeTarget(const Pass &pass, Operation *op,
                                           unsigned vectorBits,
                                           unsigned vectorRegisters,
                                           StringRef features,
                                           double maxError) {
  auto fail = [&] { return op->emitError() << pass.getArgument() << ": "; };
  if (!llvm::isPowerOf2_32(vectorBits) || vectorBits < kLeastVectorBits ||
      vectorBits > kMostVectorBits)
    return fail() << "vector-bits is " << vectorBits
                  << ", not a power of two from " << kLeastVectorBits << " to "
                  << kMostVectorBits;
  if (vectorRegisters == 0 || vectorRegisters > kMostVectorRegisters)
    return fail() << "vector-registers is " << vectorRegisters
                  << ", not a number from 1 to " << kMostVectorRegisters;
  // The condition also rejects NaN.
  if (!(maxError >= 0))
    return fail() << "max-error is " << maxError
                  << ", not a number that is at least 0";
  TargetModel target;
  target.vectorBits = vectorBits;
  target.vectorRegisters = vectorRegisters;
  target.features = features.str();
  target.maxError = maxError;
  return target;
}

LogicalResult codegen::checkThreads(const Pass &pass, Operation *op,
                                    unsigned threads) {
  if (threads >= 1 && threads <= choice::kMostThreads)
    return success();
  return op->emitError() << pass.getArgument() << ": threads is " << threads
                         << ", not a number from 1 to " << choice::kMostThreads;
}
