//===- perfetto.cpp - Perfetto's SDK, in one process ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With perfetto.h and perfetto.cc of the amalgamated SDK.
//
//===----------------------------------------------------------------------===//

#include "perfetto.h"
#include "../Contestants.h"

#include <memory>

PERFETTO_DEFINE_CATEGORIES(perfetto::Category("on"), perfetto::Category("off"));
PERFETTO_TRACK_EVENT_STATIC_STORAGE();

using namespace bench;

static std::unique_ptr<perfetto::TracingSession> session;

__attribute__((noinline)) static void runOn() {
  for (int i = 0; i < kIterations; ++i) {
    TRACE_EVENT("on", "static");
    work();
  }
}

__attribute__((noinline)) static void runOff() {
  for (int i = 0; i < kIterations; ++i) {
    TRACE_EVENT("off", "static");
    work();
  }
}

static void start() {
  perfetto::TraceConfig config;
  auto *buffer = config.add_buffers();
  buffer->set_size_kb(65536);
  buffer->set_fill_policy(
      perfetto::protos::gen::TraceConfig_BufferConfig_FillPolicy_RING_BUFFER);
  auto *source = config.add_data_sources()->mutable_config();
  source->set_name("track_event");
  perfetto::protos::gen::TrackEventConfig events;
  events.add_disabled_categories("*");
  events.add_enabled_categories("on");
  source->set_track_event_config_raw(events.SerializeAsString());
  session = perfetto::Tracing::NewTrace(perfetto::kInProcessBackend);
  session->Setup(config);
  session->StartBlocking();
}

static void stop() {
  session->StopBlocking();
  session.reset();
}

static bool initialize() {
  perfetto::TracingInitArgs arguments;
  arguments.backends = perfetto::kInProcessBackend;
  perfetto::Tracing::Initialize(arguments);
  return perfetto::TrackEvent::Register();
}

static const bool isInitialized = initialize();

static Entry entries[] = {
    Entry({.name = "Perfetto TRACE_EVENT, off", .run = runOff}),
    Entry({.name = "Perfetto TRACE_EVENT",
           .run = runOn,
           .start = start,
           .stop = stop}),
};
