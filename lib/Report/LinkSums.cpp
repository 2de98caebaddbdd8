//===- LinkSums.cpp - Transfers between ranks -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSums.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

void LinkSum::add(const LinkTransfer &transfer) {
  if (transfer.kind == LinkKind::Wait) {
    addSaturating(waitPs, transfer.durationPs);
    return;
  }
  addSaturating(count, transfer.count);
  addSaturating(bytes, transfer.bytes);
  addSaturating(timePs, transfer.durationPs);
}

Cell report::getLinkCell(LinkKind kind) {
  switch (kind) {
  case LinkKind::Unknown:
    return std::nullopt;
  case LinkKind::Sdma:
    return "SDMA";
  case LinkKind::Rdma:
    return "RDMA";
  case LinkKind::Wait:
    return "wait";
  }
  return std::nullopt;
}
