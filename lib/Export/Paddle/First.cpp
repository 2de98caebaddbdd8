//===- First.cpp - PaddlePaddle's first profiler --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Exporters.h"
#include "../Scopes/RunScopes.h"
#include "mlir-prof/Scope/PaddleProfile.h"

using namespace mlirprof;
using namespace mlirprof::exporter;

static llvm::Error write(const ExportInput &input, llvm::raw_ostream &os) {
  auto runs = collectScopes(input);
  if (!runs)
    return runs.takeError();
  scope::Recordings recordings = getRecordings(*runs);
  for (const scope::Recording *recording : recordings)
    noteRoundedTimes(*recording, input.losses);
  LossList losses;
  os << scope::writePaddleProfile(recordings, losses);
  if (input.losses)
    for (const Loss &loss : losses)
      input.losses->add(loss.name, loss.count, loss.timePs);
  return llvm::Error::success();
}

Exporter exporter::PaddleFirst() {
  return {"paddle-profile",
          "the file of PaddlePaddle's first profiler (stop_profiler)",
          ExportNeeds::Events, write};
}
