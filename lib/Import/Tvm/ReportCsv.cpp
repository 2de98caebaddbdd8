//===- ReportCsv.cpp - TVM's report as a table ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Csv.h"
#include "../Importers.h"
#include "Tvm.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tvm;
using namespace mlirprof::profile;

// The order of columns varies: TVM writes them in the order of a hash table.
static bool detect(llvm::StringRef bytes) {
  table::Header header = table::peekHeader(bytes);
  return header.has(kName) && header.has(kDuration) && header.has("Percent") &&
         header.has(kDevice);
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  table::CsvReader reader(input.bytes);
  auto fail = [&](const llvm::Twine &what) {
    return inputError(input.where + ": line " + llvm::Twine(reader.getLine()),
                      what,
                      "A report of TVM has the columns Name, Duration (us), "
                      "Percent, Count and Device.");
  };
  table::Totals totals(builder);
  table::Header header;
  if (reader.next())
    header = table::Header(reader.getFields());
  if (!header.has(kName) || !header.has(kDuration))
    return fail("is not a header of a report of TVM");
  while (reader.next()) {
    auto get = [&](llvm::StringRef name) {
      return table::getField(header, reader.getFields(), name);
    };
    if (reader.getFields().size() > header.size())
      return fail("has more columns than the header");
    Call call;
    call.name = get(kName).str();
    call.device = get(kDevice).str();
    call.shapes = parseArgumentShapes(get(kShapes));
    if (call.name.empty())
      return fail("does not have a name");
    if (!addCall(totals, std::move(call), get(kCount), get(kDuration)))
      return fail("has a count or duration that is not a number");
  }
  if (reader.getFault() != table::CsvReader::Fault::None)
    return fail(reader.describeFault());
  totals.finish();
  return llvm::Error::success();
}

Importer importer::TvmReportCsv() {
  return {"tvm-csv", "TVM's report of a profiled run, as CSV", detect, read};
}
