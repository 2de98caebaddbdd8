//===- RestartingStopwatch.cpp - Times of builds in new processes ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RestartingStopwatch.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

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

llvm::Expected<double> RestartingStopwatch::measure(Variant variant) {
  Process &process = variant == Variant::Incumbent ? incumbent : candidate;
  if (process.measured++ % measurements == 0)
    if (llvm::Error error = restart(variant, process))
      return std::move(error);
  return stopwatch.measure(variant);
}
