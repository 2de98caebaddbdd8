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
  auto top = getNumber(arguments, OPT_top_EQ, 1);
  if (!top)
    return top.takeError();
  query.top = *top;
  auto page = getNumber(arguments, OPT_page_EQ, 1);
  if (!page)
    return page.takeError();
  query.page = *page;
  return std::move(query);
}
