//===- DispatchTable.cpp - Programs of dispatches -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/DispatchTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::codegen;

/// PROF_EXECUTOR_ABI.
static constexpr uint32_t kAbi = 0x4d450001;
static constexpr size_t kHeaderWords = 10, kDispatchWords = 13, kValueWords = 3;

static void addValue(const TableValue &value, std::vector<uint32_t> &words) {
  auto constant = uint64_t(value.constant);
  words.insert(words.end(),
               {value.base, uint32_t(constant), uint32_t(constant >> 32)});
}

std::vector<uint32_t> codegen::encodeTable(const DispatchTable &table) {
  size_t count = table.dispatches.size();
  std::vector<std::vector<uint32_t>> successors(count);
  for (auto [index, dispatch] : llvm::enumerate(table.dispatches))
    for (uint32_t before : dispatch.dependencies)
      successors[before].push_back(uint32_t(index));
  std::vector<uint32_t> words(kHeaderWords), bindings, arguments, edges;
  uint32_t mostBindings = 0, mostArguments = 0;
  for (auto [dispatch, next] : llvm::zip_equal(table.dispatches, successors)) {
    auto bound = uint32_t(dispatch.bindings.size()),
         given = uint32_t(dispatch.arguments.size());
    words.insert(words.end(),
                 {dispatch.kernel, dispatch.instance, dispatch.grid[0],
                  dispatch.grid[1], dispatch.grid[2], dispatch.costNs,
                  uint32_t(bindings.size() / kValueWords), bound,
                  uint32_t(arguments.size() / kValueWords), given,
                  uint32_t(edges.size()), uint32_t(next.size()),
                  uint32_t(dispatch.dependencies.size())});
    for (const TableValue &value : dispatch.bindings)
      addValue(value, bindings);
    for (const TableValue &value : dispatch.arguments)
      addValue(value, arguments);
    llvm::append_range(edges, next);
    mostBindings = std::max(mostBindings, bound);
    mostArguments = std::max(mostArguments, given);
  }
  const uint32_t header[kHeaderWords] = {
      kAbi,
      uint32_t(count),
      uint32_t(bindings.size() / kValueWords),
      uint32_t(arguments.size() / kValueWords),
      uint32_t(edges.size()),
      table.kernels,
      table.addresses,
      table.parameters,
      mostBindings,
      mostArguments};
  llvm::copy(header, words.begin());
  for (const auto *part : {&bindings, &arguments, &edges})
    llvm::append_range(words, *part);
  return words;
}

/// The values [first, first + count) of `words`, which hold only values.
static bool readValues(llvm::ArrayRef<uint32_t> words, uint32_t first,
                       uint32_t count, std::vector<TableValue> &values) {
  if (uint64_t(first) + count > words.size() / kValueWords)
    return false;
  for (uint32_t i = first; i != first + count; ++i) {
    llvm::ArrayRef<uint32_t> word = words.slice(i * kValueWords, kValueWords);
    values.push_back(
        {word[0], int64_t(uint64_t(word[2]) << 32 | uint64_t(word[1]))});
  }
  return true;
}

std::optional<DispatchTable>
codegen::decodeTable(llvm::ArrayRef<uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != kAbi)
    return std::nullopt;
  uint64_t count = words[1], bindings = words[2], arguments = words[3],
           edges = words[4];
  if (words.size() != kHeaderWords + count * kDispatchWords +
                          (bindings + arguments) * kValueWords + edges)
    return std::nullopt;
  DispatchTable table;
  table.kernels = words[5];
  table.addresses = words[6];
  table.parameters = words[7];
  llvm::ArrayRef<uint32_t> rest = words.drop_front(kHeaderWords);
  auto take = [&](uint64_t length) {
    llvm::ArrayRef<uint32_t> part = rest.take_front(length);
    rest = rest.drop_front(length);
    return part;
  };
  llvm::ArrayRef<uint32_t> entries = take(count * kDispatchWords),
                           bound = take(bindings * kValueWords),
                           given = take(arguments * kValueWords);
  table.dispatches.resize(count);
  for (uint64_t i = 0; i != count; ++i) {
    llvm::ArrayRef<uint32_t> entry =
        entries.slice(i * kDispatchWords, kDispatchWords);
    TableDispatch &dispatch = table.dispatches[i];
    dispatch.kernel = entry[0];
    dispatch.instance = entry[1];
    dispatch.grid = {entry[2], entry[3], entry[4]};
    dispatch.costNs = entry[5];
    if (!readValues(bound, entry[6], entry[7], dispatch.bindings) ||
        !readValues(given, entry[8], entry[9], dispatch.arguments) ||
        uint64_t(entry[10]) + entry[11] > edges)
      return std::nullopt;
    for (uint32_t next : rest.slice(entry[10], entry[11])) {
      if (next <= i || next >= count)
        return std::nullopt;
      table.dispatches[next].dependencies.push_back(uint32_t(i));
    }
  }
  return table;
}
