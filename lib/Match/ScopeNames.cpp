//===- ScopeNames.cpp - Names apart from their numbers --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeNames.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>

using namespace mlirprof;
using namespace mlirprof::match;
using llvm::StringRef;

ScopeName::ScopeName(StringRef name) {
  llvm::SmallVector<StringRef> all;
  name.split(all, '/');
  for (StringRef part : all) {
    StringRef text = part.rtrim("0123456789");
    uint64_t number = 0;
    if (part.drop_front(text.size()).getAsInteger(10, number))
      text = part;
    else if (text.ends_with("_") || text.ends_with("-"))
      text = text.drop_back();
    parts.push_back(text.str());
    numbers.push_back(number);
  }
}

std::string ScopeName::getText(size_t count) const {
  std::string text;
  for (size_t i = parts.size() - count; i < parts.size(); ++i)
    text += parts[i] + '/';
  return text;
}

void ScopeNumbers::add(Side side, const ScopeName &name, size_t count,
                       Trace trace) {
  std::string text;
  std::vector<uint64_t> numbers;
  for (size_t i = name.parts.size() - count; i < name.parts.size(); ++i) {
    text += name.parts[i] + '/';
    numbers.push_back(name.numbers[i]);
    seen[size_t(side)][text].insert(numbers);
    if (side == Side::Module && trace != Trace::Unlikely)
      traced[text].insert(numbers);
    if (trace == Trace::Sure)
      ofProducts.insert(text);
  }
}

/// The begin of the last numbers, if they are consecutive and all begin there.
static std::optional<uint64_t>
getBegin(const std::set<std::vector<uint64_t>> &all) {
  std::optional<uint64_t> begin;
  const std::vector<uint64_t> *before = nullptr;
  for (const std::vector<uint64_t> &numbers : all) {
    uint64_t last = numbers.back();
    bool goesOn = before && std::equal(numbers.begin(), numbers.end() - 1,
                                       before->begin());
    if (goesOn ? last != before->back() + 1 : begin && last != *begin)
      return std::nullopt;
    if (!begin)
      begin = last;
    before = &numbers;
  }
  return begin;
}

/// The numbers of `text`, with 0 for earlier numbers that are positions: these
/// say nothing about the last number.
ScopeNumbers::Numbers
ScopeNumbers::project(const std::map<std::string, Numbers> &side,
                      const std::string &text,
                      const std::vector<bool> &ofPlace) const {
  Numbers result;
  auto found = side.find(text);
  if (found != side.end())
    for (std::vector<uint64_t> numbers : found->second) {
      for (size_t i = 0; i < ofPlace.size(); ++i)
        if (ofPlace[i])
          numbers[i] = 0;
      result.insert(std::move(numbers));
    }
  return result;
}

bool ScopeNumbers::mayBeLeftOut(const Numbers &recorded, const Numbers &module,
                                const std::string &text,
                                const std::vector<bool> &ofPlace) const {
  if (ofProducts.count(text) ||
      !std::includes(module.begin(), module.end(), recorded.begin(),
                     recorded.end()))
    return false;
  for (const std::vector<uint64_t> &numbers : project(traced, text, ofPlace))
    if (module.count(numbers) && !recorded.count(numbers))
      return false;
  StringRef parent = StringRef(text).drop_back();
  parent = StringRef(text).take_front(parent.rfind('/') + 1);
  for (auto next = ofProducts.lower_bound(parent.str());
       next != ofProducts.end() && StringRef(*next).starts_with(parent); ++next)
    if (StringRef(*next).drop_front(parent.size()).count('/') == 1 &&
        isOfPlace(*next, ofPlace))
      return false;
  return true;
}

bool ScopeNumbers::isOfPlace(const std::string &text,
                             const std::vector<bool> &ofPlace) const {
  auto [known, isNew] = decided.try_emplace(text, false);
  if (!isNew)
    return known->second;
  // Parts of a layer that only one side has do not count either.
  auto isWithin = [](const std::vector<uint64_t> &numbers, const Numbers &all) {
    std::vector<uint64_t> first(numbers.begin(), numbers.end() - 1);
    auto next = all.lower_bound(first);
    return next != all.end() &&
           std::equal(first.begin(), first.end(), next->begin());
  };
  Numbers all[2] = {project(seen[0], text, ofPlace),
                    project(seen[1], text, ofPlace)},
          recorded, module;
  for (const std::vector<uint64_t> &numbers : all[0])
    if (isWithin(numbers, all[1]))
      recorded.insert(numbers);
  for (const std::vector<uint64_t> &numbers : all[1])
    if (isWithin(numbers, all[0]))
      module.insert(numbers);
  if (recorded != module) {
    std::optional<uint64_t> begin = getBegin(recorded);
    known->second = begin && begin == getBegin(module) &&
                    !mayBeLeftOut(recorded, module, text, ofPlace);
  }
  return known->second;
}

std::string ScopeNumbers::getLabel(const ScopeName &name, size_t count) const {
  std::string text, label;
  std::vector<bool> ofPlace;
  for (size_t i = name.parts.size() - count; i < name.parts.size(); ++i) {
    text += name.parts[i] + '/';
    ofPlace.push_back(isOfPlace(text, ofPlace));
    label += name.parts[i] + '_' +
             (ofPlace.back() ? "#" : std::to_string(name.numbers[i])) + '/';
  }
  return label;
}
