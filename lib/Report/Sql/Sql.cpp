//===- Sql.cpp - SQL over a profile ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Sql.h"
#include "SqlTables.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/MemoryBudget.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sqlite3.h>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::report::sql;

namespace {

struct CloseDatabase {
  void operator()(sqlite3 *database) const { sqlite3_close_v2(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt *statement) const {
    sqlite3_finalize(statement);
  }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// Stops a query that exceeds its limits.
class QueryWatch {
public:
  explicit QueryWatch(const SqlLimits &limits)
      : limits(limits), left(limits.steps), begin(Clock::now()) {}

  /// Counts the steps of the queries of `database` from now on.
  void countSteps(sqlite3 *database) {
    sqlite3_progress_handler(database, kStride, pass, this);
  }
  bool isOver() const {
    return limits.seconds > 0 &&
           std::chrono::duration<double>(Clock::now() - begin).count() >
               limits.seconds;
  }
  /// The error of a query that was stopped after so many rows.
  llvm::Error describe(uint64_t rows) const;

private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kStride = 1000;
  static int pass(void *self) {
    auto *watch = static_cast<QueryWatch *>(self);
    watch->left -= std::min<uint64_t>(watch->left, kStride);
    return watch->left == 0 || watch->isOver();
  }

  const SqlLimits &limits;
  uint64_t left;
  Clock::time_point begin;
};

/// An in-memory database with the tables of a profile, built when they are
/// read.
class Database {
public:
  llvm::Error open();
  /// Prepares the user's query. Its tables are still empty.
  llvm::Expected<Statement> prepareQuery(llvm::StringRef query);
  /// Fills the tables that the query reads.
  llvm::Error fillTables(const ReportInput &input, const QueryWatch &watch);
  /// Whether the query reads single events.
  bool readsEvents() const;
  /// SQLite's error, with its position in `query`.
  llvm::Error fail(llvm::StringRef query) const;

private:
  static int authorize(void *self, int action, const char *first,
                       const char *second, const char *database,
                       const char *trigger);
  llvm::Error execute(const std::string &statement);
  llvm::Error fill(const ReportInput &input, const SqlTable &table,
                   const QueryWatch &watch);

  std::unique_ptr<sqlite3, CloseDatabase> database;
  llvm::StringSet<> tablesRead;
};

} // namespace

/// Rows that are filled between two looks at the clock.
static constexpr uint64_t kRowsPerLook = 4096;
/// Longest text, and longest query.
static constexpr int kMostText = 16 << 20;
static constexpr size_t kMostQuery = size_t(1) << 20;

static constexpr const char *kHint =
    "A query is one SELECT in SQLite's dialect; 'mlir-prof query PROFILE "
    "--tables' lists the tables and their columns.";

llvm::Error QueryWatch::describe(uint64_t rows) const {
  std::string after = ", after " + formatCount(rows, "row");
  if (left == 0)
    return inputError("query",
                      "takes more than " + llvm::Twine(limits.steps) +
                          " steps" + after,
                      "Bound its recursion with WHERE or LIMIT, join by equal "
                      "columns, or allow more with --max-steps=N.");
  return inputError("query",
                    "takes longer than " + llvm::Twine(limits.seconds) + " s" +
                        after,
                    "Add WHERE to what it joins, or run it with 'mlir-prof "
                    "query'.");
}

llvm::Error Database::fail(llvm::StringRef query) const {
  int offset = sqlite3_error_offset(database.get());
  std::string where = "query";
  if (offset >= 0)
    where += ": character " + std::to_string(offset + 1);
  std::string what = sqlite3_errmsg(database.get());
  if (offset >= 0 && size_t(offset) < query.size())
    what += ", at '" + query.substr(size_t(offset), 20).str() + "'";
  return inputError(where, what, kHint);
}

llvm::Error Database::execute(const std::string &statement) {
  if (sqlite3_exec(database.get(), statement.c_str(), nullptr, nullptr,
                   nullptr) != SQLITE_OK)
    return fail("");
  return llvm::Error::success();
}

/// Memory limits of a running query (sorting, joining, temporary tables), and
/// of its result.
static constexpr int64_t kMostWorkBytes = int64_t(1) << 30;
static constexpr uint64_t kMostResultBytes = uint64_t(1) << 30;

llvm::Error Database::open() {
  sqlite3 *opened = nullptr;
  sqlite3_hard_heap_limit64(kMostWorkBytes);
  int status = sqlite3_open_v2(
      ":memory:", &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, nullptr);
  database.reset(opened);
  if (status != SQLITE_OK)
    return inputError("query", "the SQL engine cannot start: " +
                                   llvm::Twine(sqlite3_errstr(status)));
  // One step may work through a whole text, and is not interrupted.
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kMostText);
  // Temporary files of a sort would grow beyond every limit.
  if (llvm::Error error = execute("PRAGMA temp_store = MEMORY"))
    return error;
  for (const SqlTable &table : getSqlTables()) {
    std::vector<std::string> columns;
    for (const SqlColumn &column : table.columns)
      columns.push_back(std::string(column.name) + " " + column.type);
    if (llvm::Error error = execute(std::string("CREATE TABLE ") + table.name +
                                    " (" + llvm::join(columns, ", ") + ")"))
      return error;
  }
  return llvm::Error::success();
}

/// Allows only what a SELECT needs, and records which tables it reads.
int Database::authorize(void *self, int action, const char *first,
                        const char *second, const char *, const char *) {
  switch (action) {
  case SQLITE_READ:
    static_cast<Database *>(self)->tablesRead.insert(first);
    return SQLITE_OK;
  case SQLITE_SELECT:
  case SQLITE_RECURSIVE:
    return SQLITE_OK;
  case SQLITE_FUNCTION:
    return llvm::StringRef(second) == "load_extension" ? SQLITE_DENY
                                                       : SQLITE_OK;
  default:
    return SQLITE_DENY;
  }
}

llvm::Error Database::fill(const ReportInput &input, const SqlTable &table,
                           const QueryWatch &watch) {
  if (llvm::StringRef hint = table.findMissing(input); !hint.empty())
    return inputError("query",
                      "the profile does not contain data for the table '" +
                          llvm::Twine(table.name) + "'",
                      hint);
  std::string marks = "?";
  for (size_t i = 1; i != table.columns.size(); ++i)
    marks += ",?";
  std::string text =
      std::string("INSERT INTO ") + table.name + " VALUES (" + marks + ")";
  sqlite3_stmt *prepared = nullptr;
  if (sqlite3_prepare_v2(database.get(), text.c_str(), -1, &prepared,
                         nullptr) != SQLITE_OK)
    return fail("");
  Statement insert(prepared);
  bool isGood = true;
  uint64_t rows = 0;
  table.fill(input, [&](llvm::ArrayRef<Cell> cells) {
    if (++rows % kRowsPerLook == 0 && watch.isOver())
      return false;
    for (auto [i, cell] : llvm::enumerate(cells)) {
      int place = int(i) + 1;
      if (cell.getKind() == Cell::Kind::Null)
        sqlite3_bind_null(prepared, place);
      else if (cell.getKind() == Cell::Kind::Integer)
        sqlite3_bind_int64(prepared, place, cell.getInteger());
      else
        sqlite3_bind_text64(prepared, place, cell.getText().data(),
                            cell.getText().size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8);
    }
    isGood &= sqlite3_step(prepared) == SQLITE_DONE;
    sqlite3_reset(prepared);
    return isGood;
  });
  if (watch.isOver())
    return watch.describe(0);
  return isGood ? llvm::Error::success() : fail("");
}

bool Database::readsEvents() const {
  return llvm::any_of(getSqlTables(), [&](const SqlTable &table) {
    return table.usesEvents && tablesRead.contains(table.name);
  });
}

llvm::Expected<Statement> Database::prepareQuery(llvm::StringRef query) {
  sqlite3_set_authorizer(database.get(), authorize, this);
  sqlite3_stmt *prepared = nullptr;
  const char *tail = nullptr;
  int status = sqlite3_prepare_v2(database.get(), query.data(),
                                  int(query.size()), &prepared, &tail);
  Statement statement(prepared);
  sqlite3_set_authorizer(database.get(), nullptr, nullptr);
  if (status == SQLITE_AUTH)
    return inputError("query",
                      "does something other than SELECT, or uses something "
                      "that is not allowed: profiles are read-only",
                      kHint);
  if (status != SQLITE_OK)
    return fail(query);
  if (!statement || sqlite3_column_count(prepared) == 0)
    return inputError("query", "is not a SELECT", kHint);
  llvm::StringRef rest(tail, size_t(query.end() - tail));
  if (!rest.trim(" \t\r\n;").empty())
    return inputError(
        "query: character " + std::to_string(tail - query.begin() + 1),
        "there is a second statement, which would be ignored", kHint);
  return std::move(statement);
}

llvm::Error Database::fillTables(const ReportInput &input,
                                 const QueryWatch &watch) {
  if (llvm::Error error = execute("BEGIN"))
    return error;
  for (const SqlTable &table : getSqlTables())
    if (tablesRead.contains(table.name))
      if (llvm::Error error = fill(input, table, watch))
        return error;
  return execute("COMMIT");
}

namespace {

/// A value of the result, copied because the statement does not keep it.
struct Value {
  int type = SQLITE_NULL;
  int64_t integer = 0;
  std::string text;
};

} // namespace

/// The memory that `row` takes.
static uint64_t countBytes(llvm::ArrayRef<Value> row) {
  // The cell and its text in the resulting table.
  constexpr uint64_t kOfTable = 64;
  uint64_t bytes = sizeof(std::vector<Value>);
  for (const Value &value : row)
    bytes += sizeof(Value) + kOfTable + 2 * value.text.size();
  return bytes;
}

/// The shortest text that parses to the same number.
static std::string formatFraction(double value) {
  std::string text;
  for (int digits : {15, 16, 17}) {
    char buffer[40];
    snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
    text = buffer;
    if (std::strtod(buffer, nullptr) == value)
      break;
  }
  return text;
}

static Value readValue(sqlite3_stmt *row, int column) {
  Value value;
  value.type = sqlite3_column_type(row, column);
  if (value.type == SQLITE_INTEGER)
    value.integer = sqlite3_column_int64(row, column);
  if (value.type == SQLITE_FLOAT)
    value.text = formatFraction(sqlite3_column_double(row, column));
  if (value.type == SQLITE_TEXT || value.type == SQLITE_BLOB) {
    const void *bytes = sqlite3_column_blob(row, column);
    value.text.assign(static_cast<const char *>(bytes),
                      size_t(sqlite3_column_bytes(row, column)));
  }
  return value;
}

/// Names of the columns, each once.
static std::vector<std::string> getNames(sqlite3_stmt *statement) {
  std::vector<std::string> names;
  llvm::StringSet<> seen;
  for (int i = 0; i != sqlite3_column_count(statement); ++i) {
    const char *given = sqlite3_column_name(statement, i);
    std::string base = given ? given : "column", name = base;
    for (unsigned suffix = 2; !seen.insert(name).second; ++suffix)
      name = base + "_" + std::to_string(suffix);
    names.push_back(name);
  }
  return names;
}

/// Whether JSON can represent the number.
static bool isFinite(const Value &value) {
  double number = 0;
  return !llvm::StringRef(value.text).getAsDouble(number) &&
         std::isfinite(number);
}

/// The kind of a result column.
static ColumnKind getKind(llvm::StringRef name,
                          llvm::ArrayRef<std::vector<Value>> rows,
                          size_t column) {
  bool isWhole = true;
  for (const std::vector<Value> &row : rows) {
    const Value &value = row[column];
    if (value.type == SQLITE_INTEGER || value.type == SQLITE_NULL)
      continue;
    if (value.type != SQLITE_FLOAT || !isFinite(value))
      return ColumnKind::Text;
    isWhole = false;
  }
  if (!isWhole)
    return ColumnKind::Decimal;
  return name.ends_with("_ps") ? ColumnKind::Time : ColumnKind::Count;
}

static Table makeTable(llvm::ArrayRef<std::string> names,
                       llvm::ArrayRef<std::vector<Value>> rows) {
  std::vector<Column> columns;
  for (auto [i, name] : llvm::enumerate(names))
    columns.push_back({name, name, getKind(name, rows, i)});
  Table table(columns);
  for (const std::vector<Value> &row : rows) {
    std::vector<std::string> texts(row.size());
    std::vector<Cell> cells;
    for (auto [i, value] : llvm::enumerate(row)) {
      bool isText = isKeptAsText(columns[i].kind);
      if (isText)
        texts[i] = value.type == SQLITE_INTEGER ? std::to_string(value.integer)
                                                : value.text;
      cells.push_back(value.type == SQLITE_NULL ? Cell()
                      : isText                  ? Cell(texts[i])
                                                : Cell(value.integer));
    }
    table.addRow(cells);
  }
  return table;
}

static Report makeReport(Table table) {
  Report report;
  report.by = "query";
  report.table = std::move(table);
  for (uint32_t row = 0; row != report.table.size(); ++row)
    report.view.rows.push_back(row);
  report.view.matched = report.table.size();
  return report;
}

static llvm::Error checkLength(llvm::StringRef query) {
  if (query.size() > kMostQuery)
    return inputError("query", "is longer than 1 MiB");
  return llvm::Error::success();
}

/// Reads the rows of a prepared query.
static llvm::Expected<Report> readRows(sqlite3_stmt *statement,
                                       llvm::StringRef query,
                                       Database &database, QueryWatch &watch,
                                       uint64_t mostRows) {
  std::vector<std::string> names = getNames(statement);
  std::vector<std::vector<Value>> rows;
  uint64_t matched = 0;
  int status = SQLITE_ROW;
  MemoryBudget memory(kMostResultBytes);
  for (; (status = sqlite3_step(statement)) == SQLITE_ROW; ++matched) {
    if (matched >= mostRows)
      continue;
    std::vector<Value> &row = rows.emplace_back();
    for (int i = 0; i != int(names.size()); ++i)
      row.push_back(readValue(statement, i));
    if (!memory.charge(countBytes(row)))
      return inputError("query",
                        "its result takes more than " +
                            llvm::Twine(memory.getLimit() >> 20) +
                            " MiB, after " + formatCount(rows.size(), "row"),
                        "Add LIMIT, or sum up with GROUP BY.");
  }
  if (status == SQLITE_NOMEM)
    return inputError("query",
                      "needs more than " + llvm::Twine(kMostWorkBytes >> 20) +
                          " MiB while it runs",
                      "Add WHERE or LIMIT to the rows that it joins, sorts or "
                      "recurses over.");
  if (status == SQLITE_INTERRUPT)
    return watch.describe(matched);
  if (status != SQLITE_DONE)
    return database.fail(query);
  Report report = makeReport(makeTable(names, rows));
  report.view.matched = matched;
  return std::move(report);
}

llvm::Expected<Report> report::runSql(const ReportInput &input,
                                      llvm::StringRef query,
                                      const SqlLimits &limits) {
  if (llvm::Error error = checkInput(input))
    return std::move(error);
  if (llvm::Error error = checkLength(query))
    return std::move(error);
  Database database;
  if (llvm::Error error = database.open())
    return std::move(error);
  auto statement = database.prepareQuery(query);
  if (!statement)
    return statement.takeError();
  QueryWatch watch(limits);
  if (llvm::Error error = database.fillTables(input, watch))
    return std::move(error);
  watch.countSteps(sqlite3_db_handle(statement->get()));
  return readRows(statement->get(), query, database, watch, limits.rows);
}

bool report::readsEvents(llvm::StringRef query) {
  Database database;
  llvm::Error error = checkLength(query);
  if (!error)
    error = database.open();
  if (!error)
    error = database.prepareQuery(query).takeError();
  bool isValid = !error;
  llvm::consumeError(std::move(error));
  return isValid && database.readsEvents();
}

Report report::listSqlTables() {
  Table table({{"table", "table", ColumnKind::Text},
               {"column", "column", ColumnKind::Text},
               {"type", "type", ColumnKind::Text},
               {"meaning", "meaning", ColumnKind::Text}});
  for (const SqlTable &entry : getSqlTables()) {
    table.addRow({entry.name, Cell(), Cell(), entry.meaning});
    for (const SqlColumn &column : entry.columns)
      table.addRow({entry.name, column.name, column.type, column.meaning});
  }
  return makeReport(std::move(table));
}
