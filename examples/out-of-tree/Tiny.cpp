//===- Tiny.cpp - A dialect whose ops have profiles -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiny.h"

#include "mlir/IR/Builders.h"

using mlirprof::prof::DataAttr;

#include "TinyDialect.cpp.inc"

#define GET_OP_CLASSES
#include "TinyOps.cpp.inc"

void tiny::TinyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TinyOps.cpp.inc"
      >();
}

static constexpr int64_t kPicosecondsPerMillisecond = 1000000000;

void tiny::KernelOp::attachProfile(DataAttr data) {
  setMilliseconds(data.getTotalPs() / kPicosecondsPerMillisecond);
}

DataAttr tiny::KernelOp::getProfile() {
  std::optional<uint64_t> value = getMilliseconds();
  if (!value)
    return {};
  return DataAttr::get(getContext(), /*count=*/1,
                       int64_t(*value) * kPicosecondsPerMillisecond,
                       /*shared_ps=*/0, /*estimated_ps=*/0,
                       /*first_begin_ps=*/0);
}

bool tiny::KernelOp::hasProfile() { return getMilliseconds().has_value(); }

void tiny::KernelOp::stripProfile() { removeMillisecondsAttr(); }
