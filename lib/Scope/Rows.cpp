//===- Rows.cpp - The rows of a table while it is made --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <functional>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::addSaturating;

/// Names of more parts, as of a text that is not a path, are not split further.
static constexpr unsigned kMostParts = 64;

size_t Rows::Hash::operator()(const Key &key) const {
  uint64_t mixed = (uint64_t(key.parent) << 32 | key.name) ^
                   (uint64_t(key.recording) << 48 | uint64_t(key.thread) << 16);
  mixed *= 0x9e3779b97f4a7c15;
  return size_t(mixed ^ mixed >> 29);
}

bool Rows::keeps(const Site &site) const {
  if (site.level > options.level)
    return false;
  if (options.types && (site.type >= 64 || !(options.types >> site.type & 1)))
    return false;
  return !options.roles || (site.role < 32 && options.roles >> site.role & 1);
}

uint32_t Rows::getName(std::string_view name) {
  auto it = numberOfName.find(name);
  if (it != numberOfName.end())
    return it->second;
  uint32_t number = uint32_t(texts.size());
  texts.emplace_back(name);
  numberOfName.emplace(texts.back(), number);
  return number;
}

uint32_t Rows::getPart(uint32_t parent, std::string_view name,
                       uint32_t recording, uint32_t thread,
                       std::string_view model) {
  // Names of models are told apart by what cannot be in a fingerprint.
  uint32_t number =
      model.empty() ? getName(name)
                    : getName(std::string(name) + '\0' + std::string(model));
  Key key = {parent, number, recording, thread};
  auto [it, isNew] = rowOfKey.try_emplace(key, uint32_t(rows.size()));
  if (!isNew)
    return it->second;
  TableRow &row = rows.emplace_back();
  row.name = name;
  row.model = model;
  row.recording = recording;
  row.thread = thread;
  row.parent = parent;
  row.depth = parent == kNoScope ? 0 : rows[parent].depth + 1;
  row.isGroup = true;
  names.emplace_back();
  return it->second;
}

uint32_t Rows::get(uint32_t parent, const Site &site, uint32_t recording,
                   uint32_t thread) {
  std::string_view rest = site.name;
  const std::string &separator = options.separator;
  uint32_t index = parent;
  if (!separator.empty()) {
    // A scope that repeats the name of the one around it, as a path, continues
    // it.
    if (parent != kNoScope && !rows[parent].isGroup) {
      const std::string &around = names[parent];
      if (rest.size() > around.size() + separator.size() &&
          rest.substr(0, around.size()) == around &&
          rest.substr(around.size(), separator.size()) == separator)
        rest.remove_prefix(around.size() + separator.size());
    }
    for (unsigned parts = 1; parts != kMostParts; ++parts) {
      size_t end = rest.find(separator);
      if (end == std::string_view::npos)
        break;
      index = getPart(index, rest.substr(0, end), recording, thread);
      rest.remove_prefix(end + separator.size());
    }
  }
  bool isModel = ScopeType(site.type) == ScopeType::Model;
  index = getPart(index, rest, recording, thread,
                  isModel ? site.file : std::string_view());
  TableRow &row = rows[index];
  if (row.isGroup) {
    row.isGroup = false;
    row.type = site.type;
    row.level = site.level;
    row.role = site.role;
    if (!separator.empty())
      names[index] = site.name;
  }
  return index;
}

/// Rows in the order of `isBefore` below each parent, each followed by those
/// below it.
static void sortTree(
    std::vector<TableRow> &rows,
    const std::function<bool(const TableRow &, const TableRow &)> &isBefore) {
  std::vector<std::vector<uint32_t>> children(rows.size() + 1);
  for (uint32_t index = 0; index != rows.size(); ++index)
    children[rows[index].parent == kNoScope ? rows.size() : rows[index].parent]
        .push_back(index);
  for (std::vector<uint32_t> &of : children)
    std::stable_sort(of.begin(), of.end(), [&](uint32_t a, uint32_t b) {
      return isBefore(rows[a], rows[b]);
    });
  std::vector<TableRow> sorted;
  sorted.reserve(rows.size());
  std::vector<uint32_t> newIndex(rows.size(), kNoScope);
  std::vector<uint32_t> stack(children.back().rbegin(), children.back().rend());
  while (!stack.empty()) {
    uint32_t index = stack.back();
    stack.pop_back();
    newIndex[index] = uint32_t(sorted.size());
    if (rows[index].parent != kNoScope)
      rows[index].parent = newIndex[rows[index].parent];
    sorted.push_back(std::move(rows[index]));
    stack.insert(stack.end(), children[index].rbegin(), children[index].rend());
  }
  rows = std::move(sorted);
}

static bool endsEarlier(const TableRow &a, const TableRow &b) {
  // Rows without calls come last.
  return std::make_pair(!a.calls, a.firstEndPs) <
         std::make_pair(!b.calls, b.firstEndPs);
}

void scope::sortRows(std::vector<TableRow> &rows, RowOrder order) {
  if (order == RowOrder::FirstEnd)
    return sortTree(rows, endsEarlier);
  auto getKey = [order](const TableRow &row) -> uint64_t {
    switch (order) {
    case RowOrder::Calls:
      return row.calls;
    case RowOrder::Total:
      return row.totalPs;
    case RowOrder::Self:
      return row.selfPs;
    case RowOrder::Min:
      return row.minPs;
    case RowOrder::Max:
      return row.maxPs;
    case RowOrder::Average:
      return row.getAveragePs();
    default:
      return 0;
    }
  };
  sortTree(rows, [&](const TableRow &a, const TableRow &b) {
    uint64_t keyA = getKey(a), keyB = getKey(b);
    return keyA != keyB ? keyA > keyB : a.name < b.name;
  });
}

std::vector<TableRow> Rows::take() {
  // Parents are before their children.
  for (size_t index = rows.size(); index--;) {
    const TableRow &row = rows[index];
    if (row.parent == kNoScope || !rows[row.parent].isGroup)
      continue;
    TableRow &group = rows[row.parent];
    if (row.calls)
      group.firstEndPs = group.calls
                             ? std::min(group.firstEndPs, row.firstEndPs)
                             : row.firstEndPs;
    addSaturating(group.calls, row.calls);
    addSaturating(group.open, row.open);
    addSaturating(group.recursive, row.recursive);
    addSaturating(group.recursivePs, row.recursivePs);
    addSaturating(group.totalPs, row.totalPs);
    addSaturating(group.selfPs, row.selfPs);
    addSaturating(group.rawTotalPs, row.rawTotalPs);
    addSaturating(group.rawSelfPs, row.rawSelfPs);
    addSaturating(group.openPs, row.openPs);
    group.isSelfBound |= row.isSelfBound;
    group.knownCounts |= row.knownCounts;
    for (size_t kind = 0; kind != kCounts; ++kind)
      addSaturating(group.counts[kind], row.counts[kind]);
  }
  sortRows(rows, RowOrder::FirstEnd);
  return std::move(rows);
}
