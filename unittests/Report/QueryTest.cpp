//===- QueryTest.cpp - Sorting, filtering and paging ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::test;

namespace {

/// name, module (with a null), count, time.
Table makeTable() {
  Table table({{"name", "name", ColumnKind::Text},
               {"module", "module", ColumnKind::Text},
               {"id", "id", ColumnKind::Number},
               {"count", "count", ColumnKind::Count},
               {"time_ps", "time", ColumnKind::Time}});
  table.defaultOrder = {{4, true}, {0, false}};
  table.addRow({"add", "m", int64_t(3), int64_t(2), int64_t(1500)});
  table.addRow({"dot", "", int64_t(1), int64_t(9), int64_t(9000000)});
  table.addRow(
      {"add_dot", std::nullopt, std::nullopt, int64_t(2), int64_t(1500)});
  table.addRow({"exp", "m", int64_t(2), int64_t(4), int64_t(-5)});
  return table;
}

/// The names of the rows that a query selects, or the error.
std::string select(llvm::ArrayRef<llvm::StringRef> filters,
                   llvm::StringRef sort = "",
                   std::optional<uint64_t> top = std::nullopt,
                   std::optional<uint64_t> page = std::nullopt) {
  Table table = makeTable();
  Query query;
  query.top = top;
  query.page = page;
  for (llvm::StringRef text : filters) {
    llvm::Expected<Filter> filter = parseFilter(text);
    if (!filter)
      return llvm::toString(filter.takeError());
    query.filters.push_back(*filter);
  }
  if (!sort.empty()) {
    llvm::Expected<std::vector<SortKey>> keys = parseSort(sort);
    if (!keys)
      return llvm::toString(keys.takeError());
    query.sort = *keys;
  }
  llvm::Expected<View> view = applyQuery(table, query);
  if (!view)
    return llvm::toString(view.takeError());
  std::string names;
  for (uint32_t row : view->rows)
    names += (names.empty() ? "" : " ") + table.getText(row, 0).str();
  return names;
}

} // namespace

TEST(QueryTest, DefaultOrderBreaksTiesByName) {
  EXPECT_EQ(select({}), "dot add add_dot exp");
}

TEST(QueryTest, Sort) {
  EXPECT_EQ(select({}, "count"), "dot exp add add_dot");
  EXPECT_EQ(select({}, "-count"), "add add_dot exp dot");
  EXPECT_EQ(select({}, "count:asc"), "add add_dot exp dot");
  EXPECT_EQ(select({}, "name"), "add add_dot dot exp");
  EXPECT_EQ(select({}, "name:desc"), "exp dot add_dot add");
  EXPECT_EQ(select({}, "time,-name"), "dot add_dot add exp");
}

TEST(QueryTest, RowsWithoutAValueComeLast) {
  EXPECT_EQ(select({}, "id"), "dot exp add add_dot");
  EXPECT_EQ(select({}, "id:desc"), "add exp dot add_dot");
}

TEST(QueryTest, Filters) {
  EXPECT_EQ(select({"name=add"}), "add");
  EXPECT_EQ(select({"name!=add"}), "dot add_dot exp");
  EXPECT_EQ(select({"name~dot"}), "dot add_dot");
  EXPECT_EQ(select({"name>=dot"}), "dot exp");
  EXPECT_EQ(select({"time>1ns"}), "dot add add_dot");
  EXPECT_EQ(select({"time_ps=1.5ns"}), "add add_dot");
  EXPECT_EQ(select({"time_ps < 0"}), "exp");
  EXPECT_EQ(select({"count>=4"}), "dot exp");
  EXPECT_EQ(select({"count<=2"}), "add add_dot");
  EXPECT_EQ(select({"count<=2", "name~_"}), "add_dot");
}

TEST(QueryTest, SeveralValues) {
  EXPECT_EQ(select({"name=add|exp"}), "add exp");
  EXPECT_EQ(select({"name!=add|exp"}), "dot add_dot");
  EXPECT_EQ(select({"name~_|x"}), "add_dot exp");
  EXPECT_EQ(select({"name!~_|x"}), "dot add");
  EXPECT_EQ(select({"name~~DOT|Exp"}), "dot add_dot exp");
  EXPECT_EQ(select({"name!~~DOT"}), "add exp");
  EXPECT_EQ(select({"name~DOT"}), "");
  EXPECT_EQ(select({"id=1|3"}), "dot add");
  EXPECT_EQ(select({"id=1|"}), "dot add_dot");
  EXPECT_EQ(select({"id!=1|"}), "add exp");
  EXPECT_EQ(select({"time=1.5ns|9us"}), "dot add add_dot");
  // A bar that is part of the name.
  EXPECT_EQ(select({R"(name=add\|exp)"}), "");
  EXPECT_EQ(select({R"(name=add\|exp|dot)"}), "dot");
  EXPECT_EQ(select({"count>1|2"}),
            "filter on 'count': compares the order with several values\n  "
            "hint: Only =, !=, ~, !~, ~~ and !~~ take several.");
  EXPECT_EQ(select({"id=1|x"}), "filter on 'id': 'x' is not a whole number\n  "
                                "hint: Write it in decimal digits.");
}

TEST(QueryTest, AbsentValues) {
  EXPECT_EQ(select({"module="}), "dot add_dot");
  EXPECT_EQ(select({"module!="}), "add exp");
  EXPECT_EQ(select({"id="}), "add_dot");
  EXPECT_EQ(select({"id!=3"}), "dot add_dot exp");
  EXPECT_EQ(select({"id<9"}), "dot add exp");
}

TEST(QueryTest, TopAndPage) {
  EXPECT_EQ(select({}, "", 2), "dot add");
  EXPECT_EQ(select({}, "", 2, 2), "add_dot exp");
  EXPECT_EQ(select({}, "", 3, 2), "exp");
  EXPECT_EQ(select({}, "", 3, 3), "");
  EXPECT_EQ(select({}, "", std::nullopt, 1), "dot add add_dot exp");
  EXPECT_EQ(select({}, "", std::nullopt, 2), "");
  EXPECT_EQ(select({}, "", 9), "dot add add_dot exp");
  EXPECT_EQ(select({}, "", UINT64_MAX, UINT64_MAX), "");
}

TEST(QueryTest, FilterErrors) {
  const char *syntax =
      ": is not COLUMN RELATION VALUE\n  hint: Write it like "
      "COLUMN=VALUE or COLUMN=VALUE|VALUE; the relations are =, !=, ~ "
      "(contains), !~, ~~ and !~~ (the same, ignoring case), <, <=, > and >=, "
      "and times take units, such as 1ms.";
  EXPECT_EQ(select({"name"}), std::string("filter 'name'") + syntax);
  EXPECT_EQ(select({"=name"}), std::string("filter '=name'") + syntax);
  EXPECT_EQ(select({""}), std::string("filter ''") + syntax);
  EXPECT_EQ(select({"name!dot"}), std::string("filter 'name!dot'") + syntax);
  EXPECT_EQ(select({"kernel=dot"}),
            "column 'kernel': does not exist in this report\n  hint: Its "
            "columns are name, module, id, count, time_ps.");
  EXPECT_EQ(select({"count=many"}),
            "filter on 'count': 'many' is not a whole number\n  hint: Write it "
            "in decimal digits.");
  EXPECT_EQ(select({"time=5h"}),
            "'5h': is not a time\n  hint: Write a time as a number of ps, ns, "
            "us, ms or s, like 1500, 20us or 1.5ms.");
  EXPECT_EQ(select({"time~5"}),
            "filter on 'time_ps': searches a column of numbers for a text\n  "
            "hint: Compare it with =, !=, <, <=, > or >=.");
  EXPECT_EQ(select({"name>"}),
            "filter on 'name': does not have a value\n  hint: Only = and != "
            "work without one: they test whether the column has a value.");
}

TEST(QueryTest, SortAndPageErrors) {
  EXPECT_EQ(
      select({}, "total"),
      "column 'total': does not exist in this report\n  hint: Its columns "
      "are name, module, id, count, time_ps.");
  for (llvm::StringRef sort : {",", "name,", "name:up", "--name", "-name:asc"})
    EXPECT_EQ(select({}, sort),
              ("order '" + sort +
               "': is not a list of columns\n  hint: Write it like COLUMN, "
               "-COLUMN (reversed), COLUMN:asc or COLUMN,COLUMN:desc.")
                  .str());
  EXPECT_EQ(select({}, "", 0), "top: 0 shows nothing\n  hint: Count from 1.");
  EXPECT_EQ(select({}, "", 5, 0),
            "page: 0 shows nothing\n  hint: Count from 1.");
}

TEST(QueryTest, OffsetAndAfter) {
  Table table = makeTable();
  auto show = [&](Query query) -> std::string {
    llvm::Expected<View> view = applyQuery(table, query);
    if (!view)
      return llvm::toString(view.takeError());
    std::string names;
    for (uint32_t row : view->rows)
      names += table.getText(row, 0).str() + " ";
    return names + std::to_string(view->matched) +
           (view->next ? " next " + std::to_string(*view->next) : "");
  };
  Query query;
  query.offset = 1;
  EXPECT_EQ(show(query), "add add_dot exp 4");
  query.top = 2;
  EXPECT_EQ(show(query), "add add_dot 4 next 2");
  query.offset = 9;
  EXPECT_EQ(show(query), "4");
  query.offset = std::nullopt;
  EXPECT_EQ(show(query), "dot add 4 next 0");
  query.after = 0;
  EXPECT_EQ(show(query), "add_dot exp 4");
  // The row itself need not pass the filters.
  query.filters = {*parseFilter("name=exp|dot")};
  EXPECT_EQ(show(query), "exp 2");
  query.after = 4;
  EXPECT_EQ(show(query),
            "after: row 4 does not exist: the table has 4\n  hint: Use the "
            "number that the page before names.");
  query.page = 1;
  EXPECT_EQ(show(query), "page, offset, after: exclude each other\n  hint: "
                         "Choose one of them.");
}

TEST(QueryTest, Groups) {
  Table table(
      {{"type", "type", ColumnKind::Text},
       {"id", "id", ColumnKind::Number},
       {"count", "count", ColumnKind::Count},
       {"mean_ps", "mean", ColumnKind::Time, ColumnUse::Data, Total::None},
       {"min_ps", "min", ColumnKind::Time, ColumnUse::Data, Total::Least},
       {"max_ps", "max", ColumnKind::Time, ColumnUse::Data, Total::Most},
       {"time_ps", "time", ColumnKind::Time},
       {"rate", "rate", ColumnKind::Rate}});
  table.weightColumn = 6;
  table.weightTotal = 100;
  auto add = [&](Cell type, int64_t count, int64_t min, int64_t max,
                 Cell time) {
    table.addRow(
        {type, int64_t(1), count, int64_t(7), min, max, time, int64_t(5)});
  };
  add("dot", 2, 3, 9, int64_t(20));
  add("exp", 1, 4, 4, int64_t(4));
  add("dot", 3, 1, 8, int64_t(30));
  add(std::nullopt, 1, 2, 2, std::nullopt);
  add("dot", 9, 0, 99, int64_t(900));
  std::vector<uint32_t> rows = {0, 1, 2, 3};
  llvm::Expected<Table> grouped = groupRows(table, rows, {"type"});
  ASSERT_TRUE(bool(grouped));
  std::string names;
  for (const Column &column : grouped->getColumns())
    names += column.name + " ";
  EXPECT_EQ(names, "type rows count min_ps max_ps time_ps ");
  llvm::Expected<View> view = applyQuery(*grouped, {});
  ASSERT_TRUE(bool(view));
  ASSERT_EQ(view->rows.size(), 3u);
  uint32_t dot = view->rows[0], none = view->rows[2];
  EXPECT_EQ(grouped->getText(dot, 0), "dot");
  int64_t expected[] = {2, 5, 1, 9, 50};
  for (auto [i, value] : llvm::enumerate(expected))
    EXPECT_EQ(grouped->getInteger(dot, uint32_t(i) + 1), value);
  EXPECT_EQ(grouped->getText(view->rows[1], 0), "exp");
  EXPECT_TRUE(grouped->isNull(none, 0));
  EXPECT_TRUE(grouped->isNull(none, 5));
  EXPECT_EQ(grouped->weightColumn, 5u);
  EXPECT_EQ(grouped->weightTotal, 100);
  EXPECT_EQ(llvm::toString(groupRows(table, rows, {"kind"}).takeError()),
            "column 'kind': does not exist in this report\n  hint: Its columns "
            "are type, id, count, mean_ps, min_ps, max_ps, time_ps, rate.");
}

TEST(QueryTest, GroupsKeepTheUnit) {
  Table table({{"type", "type", ColumnKind::Text},
               {"time_ps", "time", ColumnKind::Time}});
  table.addRow({"dot", int64_t(2)});
  table.addRow({"dot", int64_t(3)});
  table.setUnit("instructions");
  llvm::Expected<Table> grouped = groupRows(table, {0, 1}, {"type"});
  ASSERT_TRUE(bool(grouped));
  std::optional<uint32_t> time = grouped->findColumn("time");
  ASSERT_TRUE(time);
  EXPECT_EQ(grouped->getColumns()[*time].name, "time_instructions");
  EXPECT_EQ(grouped->getInteger(0, *time), 5);
}

TEST(QueryTest, Units) {
  auto unitOf = [](llvm::StringRef name, ColumnKind kind) {
    return getUnit({name.str(), "", kind});
  };
  EXPECT_EQ(unitOf("time_ps", ColumnKind::Time), "ps");
  EXPECT_EQ(unitOf("share_ppm", ColumnKind::Share), "ppm");
  EXPECT_EQ(unitOf("bytes_per_second", ColumnKind::Rate), "per_second");
  EXPECT_EQ(unitOf("peak_bytes", ColumnKind::Count), "byte");
  EXPECT_EQ(unitOf("flops", ColumnKind::Count), "flop");
  EXPECT_EQ(unitOf("count", ColumnKind::Count), "");
  EXPECT_EQ(unitOf("name", ColumnKind::Text), "");
}
