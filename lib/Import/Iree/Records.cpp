//===- Records.cpp - One record of IREE's profiles ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"
#include "../Common/Json/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using llvm::StringRef;

StringRef iree::getKindName(IntervalKind kind) {
  switch (kind) {
  case IntervalKind::Dispatch:
    return "dispatches";
  case IntervalKind::QueueWork:
    return "work";
  case IntervalKind::Region:
    return "regions";
  }
  return "";
}

static RecordType getType(StringRef name) {
  return llvm::StringSwitch<RecordType>(name)
      .Case("schema", RecordType::Schema)
      .Cases({"session", "device", "queue", "command_buffer", "executable",
              "executable_function"},
             RecordType::Description)
      .Case("command_operation", RecordType::CommandOperation)
      .Case("dispatch_event", RecordType::DispatchEvent)
      .Case("host_execution_event", RecordType::HostExecutionEvent)
      .Case("command_region_event", RecordType::CommandRegionEvent)
      .Default(RecordType::Other);
}

/// The destination of a number of a record; null for other fields.
static uint64_t *getNumber(StringRef key, Record &record) {
  return llvm::StringSwitch<uint64_t *>(key)
      .Case("schema_version", &record.schemaVersion)
      .Case("physical_device_ordinal", &record.device)
      .Case("queue_ordinal", &record.queue)
      .Case("stream_id", &record.stream)
      .Case("submission_id", &record.submission)
      .Case("command_buffer_id", &record.commandBuffer)
      .Case("executable_id", &record.executable)
      .Case("function_ordinal", &record.function)
      .Case("region_index", &record.region)
      .Case("status_code", &record.status)
      .Default(nullptr);
}

static std::string getText(StringRef token) {
  return token.starts_with("\"") ? json::unescape(json::stripQuotes(token))
                                 : std::string();
}

static void readField(StringRef key, StringRef token, Record &record) {
  if (uint64_t *number = getNumber(key, record)) {
    json::getInteger(token, *number);
  } else if (key == "record_type") {
    record.typeName = getText(token);
    record.type = getType(record.typeName);
  } else if (key == "op") {
    record.op = getText(token);
  } else if (key == "key") {
    record.key = getText(token);
  } else if (key == "command_index") {
    json::getInteger(token, record.command);
  } else if (key == "start_host_time_ns" ||
             key == "start_driver_host_cpu_time_ns") {
    record.hasBegin = json::getInteger(token, record.beginNs);
  } else if (key == "duration_ns") {
    record.hasDuration = json::getInteger(token, record.durationNs);
  } else if (key == "start_tick") {
    record.hasTicks = true;
  } else if (key == "valid") {
    record.isValid = token != "false";
  }
}

simdjson::error_code iree::readRecord(simdjson::ondemand::object &object,
                                      Record &record) {
  bool hasDerivedTime = true;
  for (auto entry : object) {
    simdjson::ondemand::field field;
    if (auto error = std::move(entry).get(field))
      return error;
    StringRef key = json::RawKey(field.key()).text();
    StringRef token = json::getToken(field.value());
    if (key == "derived_time_available")
      hasDerivedTime = token != "false";
    else
      readField(key, token, record);
  }
  // Without a fit of the device's clock the fields exist, but are zero.
  if (!hasDerivedTime)
    record.hasBegin = record.hasDuration = false;
  return simdjson::SUCCESS;
}

std::string iree::getShownName(const Record &record, IntervalKind kind) {
  if (kind == IntervalKind::Region)
    return "region " + std::to_string(record.region);
  if (!record.key.empty())
    return record.key;
  if (kind == IntervalKind::Dispatch)
    return "executable " + std::to_string(record.executable) + " function " +
           std::to_string(record.function);
  return record.op.empty() ? "work" : record.op;
}
