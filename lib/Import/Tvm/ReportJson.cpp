//===- ReportJson.cpp - TVM's report as JSON ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/ArrayReader.h"
#include "../Importers.h"
#include "Tvm.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tvm;
using namespace mlirprof::profile;

static bool detect(llvm::StringRef bytes) {
  llvm::StringRef calls = json::peekArray(bytes, "calls");
  // Every call contains both; "calls" alone may belong to any format.
  return calls.contains("\"Duration (us)\"") &&
         calls.contains("\"microseconds\"");
}

/// The text of a metric: a string, or the number in {"microseconds": 1.5}.
static simdjson::error_code readMetric(simdjson::ondemand::value value,
                                       std::string &text) {
  simdjson::ondemand::json_type type;
  if (auto error = value.type().get(type))
    return error;
  std::string_view raw;
  if (type == simdjson::ondemand::json_type::string) {
    if (auto error = value.get_string().get(raw))
      return error;
    text.assign(raw);
    return simdjson::SUCCESS;
  }
  if (type != simdjson::ondemand::json_type::object)
    return simdjson::SUCCESS;
  simdjson::ondemand::object metric;
  if (auto error = value.get_object().get(metric))
    return error;
  for (auto field : metric) {
    simdjson::ondemand::value inner;
    simdjson::ondemand::json_type innerType;
    if (auto error = field.value().get(inner))
      return error;
    if (auto error = inner.type().get(innerType))
      return error;
    if (innerType == simdjson::ondemand::json_type::string) {
      if (auto error = inner.get_string().get(raw))
        return error;
    } else {
      raw = inner.raw_json_token();
    }
    text = json::toRef(raw).trim().str();
  }
  return simdjson::SUCCESS;
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  table::Totals totals(builder);
  uint64_t unknown = 0;
  auto onCall =
      [&](simdjson::ondemand::object &object) -> simdjson::error_code {
    Call call;
    std::string count, duration, shapes;
    for (auto field : object) {
      std::string_view key;
      simdjson::ondemand::value value;
      if (auto error = field.unescaped_key().get(key))
        return error;
      if (auto error = field.value().get(value))
        return error;
      llvm::StringRef name = json::toRef(key);
      std::string other;
      std::string &text = name == kName       ? call.name
                          : name == kDevice   ? call.device
                          : name == kShapes   ? shapes
                          : name == kCount    ? count
                          : name == kDuration ? duration
                                              : other;
      if (auto error = readMetric(value, text))
        return error;
    }
    call.shapes = parseArgumentShapes(shapes);
    unknown +=
        call.name.empty() || !addCall(totals, std::move(call), count, duration);
    return simdjson::SUCCESS;
  };
  json::ArrayReader reader(input, builder);
  if (llvm::Error error =
          reader.read("calls", [](llvm::StringRef, llvm::StringRef) {}, onCall))
    return error;
  if (unknown)
    builder.loss("calls without a name or a duration", unknown, 0);
  totals.finish();
  return llvm::Error::success();
}

Importer importer::TvmReportJson() {
  return {"tvm-json", "TVM's report of a profiled run, as JSON", detect, read};
}
