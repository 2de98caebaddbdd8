//===- Instrument.cpp - Calls by TVM's virtual machine --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/ArrayReader.h"
#include "../Common/Json/Text.h"
#include "../Importers.h"
#include "Tvm.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tvm;
using namespace mlirprof::profile;

// Data that a function passed to the virtual machine's set_instrument receives
// for each call, written as rows {"symbol", "ns", "shapes"}.
static bool detect(llvm::StringRef bytes) {
  llvm::StringRef rows = json::peekArray(bytes, "");
  return rows.contains("\"symbol\"") && rows.contains("\"ns\"") &&
         !rows.contains("\"ph\"");
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  table::Totals totals(builder);
  uint64_t unknown = 0;
  auto onRow = [&](simdjson::ondemand::object &object) -> simdjson::error_code {
    Call call;
    bool hasDuration = false;
    for (auto field : object) {
      std::string_view key, raw;
      simdjson::ondemand::value value;
      if (auto error = field.unescaped_key().get(key))
        return error;
      if (auto error = field.value().get(value))
        return error;
      if (key == "symbol") {
        if (auto error = value.get_string().get(raw))
          return error;
        call.name.assign(raw);
      } else if (key == "ns") {
        hasDuration = table::parseDuration(
            json::toRef(value.raw_json_token()).trim(),
            json::DecimalUnit::Nanoseconds, call.durationPs);
      } else if (key == "shapes") {
        if (auto error = simdjson::to_json_string(value).get(raw))
          return error;
        call.shapes += json::dropSpace(raw);
      }
    }
    if (call.name.empty() || !hasDuration) {
      ++unknown;
      return simdjson::SUCCESS;
    }
    totals.add(makeOpKey(call), table::makeEvenSummary(1, call.durationPs));
    return simdjson::SUCCESS;
  };
  json::ArrayReader reader(input, builder);
  if (llvm::Error error =
          reader.read("", [](llvm::StringRef, llvm::StringRef) {}, onRow))
    return error;
  if (unknown)
    builder.loss("calls without a symbol or a duration", unknown, 0);
  totals.finish();
  return llvm::Error::success();
}

Importer importer::TvmInstrument() {
  return {"tvm-vm", "calls of TVM's virtual machine, seen by an instrument",
          detect, read};
}
