//===- EventSink.cpp - Receives a trace
//------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/EventSink.h"

using namespace mlirprof;
using namespace mlirprof::profile;

EventSink::~EventSink() = default;
