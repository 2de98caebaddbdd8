//===- paddle.cpp - Paddle's own RecordEvent ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With the headers and the library of the package paddlepaddle. Its events are
// kept until the end: the header that hands them over needs other packages.
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"
#include "paddle/phi/api/profiler/event_tracing.h"
#include "paddle/phi/api/profiler/host_tracer.h"

using namespace bench;

namespace paddle::platform {
void EnableHostEventRecorder();
} // namespace paddle::platform

__attribute__((noinline)) static void runLiteral() {
  for (int i = 0; i < kIterations; ++i) {
    phi::RecordEvent event("static", phi::TracerEventType::UserDefined, 1);
    work();
  }
}

__attribute__((noinline)) static void runString() {
  static const std::string name = "decoder/attention";
  for (int i = 0; i < kIterations; ++i) {
    phi::RecordEvent event(name, phi::TracerEventType::UserDefined, 1);
    work();
  }
}

static void start() { phi::HostTraceLevel::GetInstance().SetLevel(1); }

static void stop() { phi::HostTraceLevel::GetInstance().SetLevel(-1); }

static Entry entries[] = {
    Entry({.name = "Paddle RecordEvent, off", .run = runLiteral}),
    Entry({.name = "Paddle RecordEvent, literal",
           .run = runLiteral,
           .start = start,
           .stop = stop}),
    Entry({.name = "Paddle RecordEvent, string",
           .run = runString,
           .start = start,
           .stop = stop}),
};

static const bool isEnabled =
    (paddle::platform::EnableHostEventRecorder(), true);
