//===- QueryOptions.cpp - Options that select rows ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueryOptions.h"

using namespace mlirprof;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

llvm::Expected<Query> mlirprof::getQuery(const InputArgList &arguments) {
  Query query;
  for (const std::string &text : arguments.getAllArgValues(OPT_filter_EQ)) {
    auto filter = parseFilter(text);
    if (!filter)
      return asUsageError(filter.takeError());
    query.filters.push_back(std::move(*filter));
  }
  for (const std::string &text : arguments.getAllArgValues(OPT_sort_EQ)) {
    auto keys = parseSort(text);
    if (!keys)
      return asUsageError(keys.takeError());
    query.sort.insert(query.sort.end(), keys->begin(), keys->end());
  }
  for (llvm::StringRef text : arguments.getAllArgValues(OPT_group_EQ)) {
    llvm::SmallVector<llvm::StringRef> names;
    text.split(names, ',');
    for (llvm::StringRef name : names)
      query.group.push_back(name.trim().str());
  }
  auto top = getNumber(arguments, OPT_top_EQ, 1);
  if (!top)
    return top.takeError();
  query.top = *top;
  auto page = getNumber(arguments, OPT_page_EQ, 1);
  if (!page)
    return page.takeError();
  query.page = *page;
  auto offset = getNumber(arguments, OPT_offset_EQ, 0);
  if (!offset)
    return offset.takeError();
  query.offset = *offset;
  auto after = getNumber(arguments, OPT_after_EQ, 0);
  if (!after)
    return after.takeError();
  if (*after)
    query.after = uint32_t(std::min<uint64_t>(**after, UINT32_MAX));
  return std::move(query);
}
