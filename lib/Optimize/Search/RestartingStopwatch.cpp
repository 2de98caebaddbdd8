//===- RestartingStopwatch.cpp - Times of builds in new processes ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RestartingStopwatch.h"
#include "mlir-prof/Support/Error.h"

#include <utility>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

char IncumbentError::ID = 0;

void IncumbentError::log(llvm::raw_ostream &os) const { os << message; }

std::error_code IncumbentError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error RestartingStopwatch::restart(Variant variant, Process &process) {
  auto server = start(variant);
  if (server.errorIsA<InterruptedError>())
    return server.takeError();
  if (!server) {
    llvm::consumeError(server.takeError());
    return llvm::Error::success();
  }
  // The first run is not measured: threads begin, pages come.
  auto first = (*server)->run((*server)->getRequestCount());
  if (!first)
    return first.takeError();
  stopwatch.setServer(variant, **server);
  process.server = std::move(*server);
  return llvm::Error::success();
}

llvm::Expected<double> RestartingStopwatch::measureIn(Variant variant,
                                                      Process &process) {
  if (std::exchange(process.isDue, false))
    if (llvm::Error error = restart(variant, process))
      return std::move(error);
  return stopwatch.measure(variant);
}

void RestartingStopwatch::beginRound() {
  // Those of the warm-up measure the first rounds, too.
  if (begun != 0 && begun % rounds == 0)
    incumbent.isDue = candidate.isDue = true;
  ++begun;
}

llvm::Expected<double> RestartingStopwatch::measure(Variant variant) {
  if (variant == Variant::Candidate)
    return measureIn(variant, candidate);
  auto seconds = measureIn(variant, incumbent);
  if (seconds || seconds.errorIsA<InterruptedError>())
    return seconds;
  return llvm::make_error<IncumbentError>(llvm::toString(seconds.takeError()));
}
