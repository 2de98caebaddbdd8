//===- Table.h - Tables of reports ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_TABLE_H
#define MLIR_PROF_REPORT_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::report {

/// The meaning of the numbers in a column.
enum class ColumnKind : uint8_t {
  Text,
  /// A number that serves as a name: an index, an id. Sorts ascending.
  Number,
  /// A count. Sorts descending.
  Count,
  /// Picoseconds. Sorts descending; filters accept units.
  Time,
  /// A rate per second. Sorts descending.
  Rate,
  /// A ratio in millionths. Sorts descending.
  Ratio,
  /// A share in millionths, shown as percent in text. Sorts descending.
  Share,
  /// A list of integers, such as the sizes of a shape. Sorts ascending, by the
  /// first element that differs; an array in JSON.
  List,
  /// A number that may have a fraction, in decimal digits. Sorts descending.
  /// Only SQL produces such numbers.
  Decimal,
};

/// Whether the cells of a column are stored as texts.
inline bool isKeptAsText(ColumnKind kind) {
  return kind == ColumnKind::Text || kind == ColumnKind::Decimal;
}

/// Whether the numbers of a column are names rather than amounts.
inline bool isName(ColumnKind kind) {
  return kind == ColumnKind::Text || kind == ColumnKind::Number ||
         kind == ColumnKind::List;
}

enum class ColumnUse : uint8_t {
  /// Part of the report in every format.
  Data,
  /// Derived: shown in text and usable in queries, but omitted from JSON and
  /// CSV.
  TextOnly,
  /// Omitted from text: other columns show it, or it is the same in all rows.
  DataOnly,
};

/// How the amounts of several rows become that of their group.
enum class Total : uint8_t {
  Add,
  Least,
  Most,
  /// Not at all: an average, a point in time.
  None,
};

struct Column {
  /// As in JSON ("sole_ps").
  std::string name;
  /// Heading in text, without a unit ("sole").
  std::string title;
  ColumnKind kind = ColumnKind::Text;
  ColumnUse use = ColumnUse::Data;
  /// Ignored but for counts, times and shares: other kinds do not add up.
  Total total = Total::Add;

  bool addsUp() const {
    return total != Total::None &&
           (kind == ColumnKind::Count || kind == ColumnKind::Time ||
            kind == ColumnKind::Share);
  }
};

/// The unit of the numbers in a column: "ps", "ppm", "per_second"; for counts
/// whose name ends in "bytes" or "flops", "byte" or "flop". Empty without one.
llvm::StringRef getUnit(const Column &column);

/// A value to be added to a table: nothing, an integer, a text or a list. Texts
/// and lists must outlive it.
class Cell {
public:
  enum class Kind : uint8_t { Null, Integer, Text, List };

  Cell(std::nullopt_t = std::nullopt) {}
  Cell(int64_t value) : kind(Kind::Integer), integer(value) {}
  /// Counts saturate at the largest integer.
  Cell(uint64_t value)
      : Cell(int64_t(value > uint64_t(INT64_MAX) ? INT64_MAX : value)) {}
  Cell(uint32_t value) : Cell(int64_t(value)) {}
  Cell(llvm::StringRef value) : kind(Kind::Text), text(value) {}
  Cell(const std::string &value) : Cell(llvm::StringRef(value)) {}
  Cell(const char *value) : Cell(llvm::StringRef(value)) {}
  static Cell makeList(llvm::ArrayRef<int64_t> values) {
    Cell cell;
    cell.kind = Kind::List;
    cell.list = values;
    return cell;
  }

  Kind getKind() const { return kind; }
  int64_t getInteger() const { return integer; }
  llvm::StringRef getText() const { return text; }
  llvm::ArrayRef<int64_t> getList() const { return list; }

private:
  Kind kind = Kind::Null;
  int64_t integer = 0;
  llvm::StringRef text;
  llvm::ArrayRef<int64_t> list;
};

/// "32 x 2".
std::string formatList(llvm::ArrayRef<int64_t> values);

/// One column of an order.
struct OrderBy {
  uint32_t column = 0;
  bool descending = false;
};

/// Rows of integers and texts, stored by column: 8 bytes per cell, equal texts
/// once. Holds at most 2^32 - 1 rows.
class Table {
public:
  Table() = default;
  explicit Table(llvm::ArrayRef<Column> columns);

  llvm::ArrayRef<Column> getColumns() const { return columns; }
  /// Turns all times into counts of `unit`, which names them ("sole_ps" becomes
  /// "sole_instructions").
  void setUnit(llvm::StringRef unit);
  /// A table of `columns` without rows, in the unit of this one.
  Table makeEmpty(llvm::ArrayRef<Column> columns) const;
  /// Position of the column `name`, which may omit "_ps", or the unit that took
  /// its place, and "_ppm"; none if unknown.
  std::optional<uint32_t> findColumn(llvm::StringRef name) const;

  /// Adds a row with one cell per column and returns its position.
  uint32_t addRow(llvm::ArrayRef<Cell> cells);
  uint32_t size() const { return rows; }

  bool isNull(uint32_t row, uint32_t column) const {
    const Data &cells = data[column];
    return !cells.nulls.empty() && cells.nulls[row];
  }
  /// The number in a cell of an integer column; 0 for null.
  int64_t getInteger(uint32_t row, uint32_t column) const {
    return data[column].values[row];
  }
  /// The text in a cell of a column with isKeptAsText; empty for null.
  llvm::StringRef getText(uint32_t row, uint32_t column) const {
    return texts[size_t(data[column].values[row])];
  }
  /// The list in a cell of a List column; empty for null.
  llvm::ArrayRef<int64_t> getList(uint32_t row, uint32_t column) const {
    if (isNull(row, column))
      return {};
    return lists[size_t(data[column].values[row])];
  }

  /// The order of rows unless the user requests another one, and the order of
  /// ties in that.
  std::vector<OrderBy> defaultOrder;
  /// The column that share bars show, relative to `weightTotal`.
  std::optional<uint32_t> weightColumn;
  int64_t weightTotal = 0;
  /// For a tree: the parent of each row, or kNone; else empty. The key of a row
  /// in a tree starts with its parent's.
  std::vector<uint32_t> parents;
  /// Sentences about rows that miss something.
  std::vector<std::string> notes;

private:
  struct Data {
    std::vector<int64_t> values;
    /// Empty as long as the column does not have nulls.
    std::vector<bool> nulls;
  };

  uint32_t intern(llvm::StringRef text);

  std::vector<Column> columns;
  /// The end of the names of times, or of what counts in their place.
  std::string suffix = "_ps";
  std::vector<Data> data;
  uint32_t rows = 0;
  llvm::StringMap<uint32_t> textIds;
  std::vector<llvm::StringRef> texts;
  std::vector<std::vector<int64_t>> lists;
};

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_TABLE_H
