//===- WriterTest.cpp - Reports as text, JSON and CSV ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Writer.h"
#include "TestData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::test;

static std::string write(const ReportInput &input, llvm::StringRef by,
                         llvm::StringRef format, const Query &query = {},
                         const WriteOptions &options = {}) {
  Report report = llvm::cantFail(buildReport(input, **findReport(by), query));
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(findReportWriter(format))->write(report, options, os);
  return text;
}

TEST(WriterTest, TextTree) {
  auto data = makeData();
  EXPECT_EQ(
      write(data->withModule(), "module-path", "text"),
      R"(share             count  sole [ns]  shared [ns]  estimated [ps]  total [ns]  module path
████████  99.6 %      7      6.971        0.000               0       6.971  net
██████▏   76.7 %      5      5.071        0.900             300       5.371    a
█████     61.9 %      3      4.000        1.001             334       4.334      dot
█▏        14.8 %      3      0.070        1.901             967       1.037      add
█▉        22.9 %      3      1.000        0.900             600       1.600    b
█▉        22.9 %      3      1.000        0.900             600       1.600      tanh

coverage of 7.000 ns of op time
  unique      57.1 %  4.000 ns  one op of the module
  ambiguous   14.3 %  1.000 ns  several ops under one name
  fused       27.2 %  1.901 ns  several names that ran as one, mean members 2.000
  partial      1.0 %  0.070 ns  some names do not have an op
  unmatched    0.4 %  0.029 ns  no op

without an owner
  29 ps  1x  no op has this name

losses
  17 ps  2x  event without a name
)");
}

TEST(WriterTest, TextWithoutModule) {
  auto data = makeData();
  data->profile.runs.front().losses.clear();
  EXPECT_EQ(
      write(data->withoutModule(), "measured-op", "text",
            makeQuery(2, "module=main", 2)),
      R"(share             count  duration [ns]  bounded [ns]  self [ns]  time [ns]  module  program  op      kernel  class
█▏        14.3 %      2          1.000         1.000      1.000      1.000  main          1  tanh.1  -       -
▏          1.0 %      1          0.070         0.070      0.070      0.070  main          1  odd     -       -

2 of 4 matching rows, 6 in all
)");
}

TEST(WriterTest, TreesLoseRowsWithoutLosingNames) {
  auto data = makeData();
  data->profile.runs.front().losses.clear();
  data->attribution.unmatched.clear();
  Query query;
  query.filters = {llvm::cantFail(parseFilter("key!=net/a"))};
  query.sort = llvm::cantFail(parseSort("key:desc"));
  std::string text = write(data->withModule(), "module-path", "text", query);
  std::string names;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  // Names follow the total, which has three decimals, after two spaces.
  for (llvm::StringRef line : llvm::ArrayRef(lines).slice(1, 5))
    names += line.substr(line.rfind('.') + 6).str() + "\n";
  EXPECT_EQ(names, "net\n"
                   "  b\n"
                   "    tanh\n"
                   "  a/dot\n"
                   "  a/add\n");
  EXPECT_TRUE(llvm::StringRef(text).contains("5 of 5 matching rows, 6 in all"));
}

TEST(WriterTest, NarrowTextCutsNamesInTheMiddle) {
  auto data = makeData();
  data->profile.opKeys[0].op =
      "a_very_long_name_that_nobody_reads_to_its_end.1";
  std::string text = write(data->withoutModule(), "measured-op", "text",
                           makeQuery(1), {Color::Off, 110});
  llvm::StringRef row = llvm::StringRef(text).split('\n').second;
  EXPECT_TRUE(row.split('\n').first.contains("a_very…end.1")) << text;
}

TEST(WriterTest, TextHasColorOnlyWhenAsked) {
  auto data = makeData();
  EXPECT_FALSE(llvm::StringRef(write(data->withModule(), "measured-op", "text"))
                   .contains('\x1b'));
  std::string text =
      write(data->withModule(), "measured-op", "text", {}, {Color::On, 0});
  EXPECT_TRUE(llvm::StringRef(text).starts_with("\x1b[1mshare\x1b[0m"));
  EXPECT_TRUE(
      llvm::StringRef(text).contains("\x1b[31m████▋     57.1 %\x1b[0m"));
}

TEST(WriterTest, HostileNamesCannotSteerTheTerminal) {
  auto data = makeData();
  data->profile.strings[0] = "\x1b[2J\r\n\xff\u202e\u00e9";
  std::string text = write(data->withoutModule(), "event", "text");
  EXPECT_TRUE(llvm::StringRef(text).contains(
      "\\u{1b}[2J\\u{d}\\u{a}\ufffd\\u{202e}\u00e9\n"))
      << text;
}

TEST(WriterTest, Json) {
  auto data = makeData();
  data->profile.strings[0] = "\xff";
  llvm::json::Value value = llvm::cantFail(
      llvm::json::parse(write(data->withModule(), "event", "json")));
  const llvm::json::Object &root = *value.getAsObject();
  EXPECT_EQ(*root.getString("schema"), "mlir-prof.report/2");
  EXPECT_EQ(*root.getString("by"), "event");
  llvm::json::Value coverage =
      llvm::json::Object{{"op_time_ps", 7000},
                         {"unique_ps", 4000},
                         {"ambiguous_ps", 1000},
                         {"fused_ps", 1901},
                         {"partial_ps", 70},
                         {"unmatched_ps", 29},
                         {"mean_fused_members_ppm", 2000000}};
  EXPECT_EQ(*root.get("coverage"), coverage);
  llvm::json::Value losses = llvm::json::Array{
      llvm::json::Object{{"name", "unmatched: no op has this name"},
                         {"count", 1},
                         {"time_ps", 29}},
      llvm::json::Object{
          {"name", "event without a name"}, {"count", 2}, {"time_ps", 17}}};
  EXPECT_EQ(*root.get("losses"), losses);
  llvm::json::Value columns = llvm::json::Array{
      llvm::json::Object{
          {"name", "plane"}, {"title", "plane"}, {"kind", "text"}},
      llvm::json::Object{
          {"name", "line"}, {"title", "line"}, {"kind", "number"}},
      llvm::json::Object{{"name", "name"}, {"title", "name"}, {"kind", "text"}},
      llvm::json::Object{
          {"name", "count"}, {"title", "count"}, {"kind", "count"}},
      llvm::json::Object{{"name", "total_ps"},
                         {"title", "total"},
                         {"kind", "time"},
                         {"unit", "ps"}},
      llvm::json::Object{{"name", "self_ps"},
                         {"title", "self"},
                         {"kind", "time"},
                         {"unit", "ps"}}};
  EXPECT_EQ(*root.get("columns"), columns);
  EXPECT_EQ(*root.getInteger("matched"), 2);
  llvm::json::Value rows =
      llvm::json::Array{llvm::json::Object{{"plane", "/host:CPU"},
                                           {"line", 3},
                                           {"name", "say \"hi\", all"},
                                           {"count", 1},
                                           {"total_ps", 5000},
                                           {"self_ps", 1000}},
                        llvm::json::Object{{"plane", "/host:CPU"},
                                           {"line", 3},
                                           {"name", "\ufffd"},
                                           {"count", 2},
                                           {"total_ps", 4000},
                                           {"self_ps", 4000}}};
  EXPECT_EQ(*root.get("rows"), rows);
}

TEST(WriterTest, JsonHasNullForWhatIsNotThere) {
  auto data = makeData();
  Query query;
  query.filters = {llvm::cantFail(parseFilter("module="))};
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(
      write(data->withoutModule(), "measured-op", "json", query)));
  const llvm::json::Object &root = *value.getAsObject();
  EXPECT_EQ(*root.get("coverage"), llvm::json::Value(nullptr));
  llvm::json::Value rows =
      llvm::json::Array{llvm::json::Object{{"module", nullptr},
                                           {"program_id", nullptr},
                                           {"op", "graph/node"},
                                           {"kernel", "Relu"},
                                           {"count", 1},
                                           {"duration_ps", 29},
                                           {"bounded_ps", 29},
                                           {"self_ps", 29},
                                           {"time_ps", 29},
                                           {"class", nullptr}}};
  EXPECT_EQ(*root.get("rows"), rows);
}

TEST(WriterTest, JsonColumnsOfEveryReport) {
  auto data = makeData();
  auto columnsOf = [&](llvm::StringRef by) {
    Report report =
        llvm::cantFail(buildReport(data->withModule(), **findReport(by)));
    std::string names;
    for (const Column &column : report.table.getColumns())
      if (column.use == ColumnUse::Data)
        names += (names.empty() ? "" : " ") + column.name;
    return names;
  };
  const char *rolledUp = "key count sole_ps shared_ps estimated_ps total_ps";
  for (llvm::StringRef by :
       {"measured-op-type", "op-type", "location", "source", "hlo-module"})
    EXPECT_EQ(columnsOf(by), rolledUp);
  EXPECT_EQ(columnsOf("module-path"), rolledUp);
  EXPECT_EQ(columnsOf("event"), "plane line name count total_ps self_ps");
  EXPECT_EQ(columnsOf("measured-op"),
            "module program_id op kernel count duration_ps "
            "bounded_ps self_ps time_ps class");
  EXPECT_EQ(columnsOf("op"), "index op location count sole_ps "
                             "shared_ps estimated_ps total_ps");
  EXPECT_EQ(columnsOf("step"),
            "step begin_ps duration_ps op_busy_ps op_inflight_ps");
  EXPECT_EQ(columnsOf("step-trace"),
            "step begin_ps interval_ps forward_ps backward_ps tail_ps total_ps "
            "source");
}

TEST(WriterTest, CsvQuotesWhatItMust) {
  auto data = makeData();
  data->profile.strings[0] = "two\r\nlines";
  EXPECT_EQ(write(data->withoutModule(), "event", "csv"),
            "plane,line,name,count,total_ps,self_ps\r\n"
            "/host:CPU,3,\"say \"\"hi\"\", all\",1,5000,1000\r\n"
            "/host:CPU,3,\"two\r\nlines\",2,4000,4000\r\n");
}

TEST(WriterTest, UnknownFormat) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const ReportWriter &writer : getReportWriters())
    names.push_back(writer.name);
  EXPECT_EQ(llvm::toString(findReportWriter("xml").takeError()),
            "format 'xml': does not exist\n  hint: There are " +
                llvm::join(names, ", ") + ".");
}
