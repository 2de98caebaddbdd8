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
      "COLUMN=VALUE; the relations are =, !=, ~ (contains), <, <=, > and >=, "
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
