//===- EventSink.cpp - Events, tracks and their sink ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Trace/Event.h"

using namespace mlirprof;
using namespace mlirprof::trace;

EventSink::~EventSink() = default;
