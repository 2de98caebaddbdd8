//===- Symbols.cpp - The functions of an object ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"
#include "CxxNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;

/// Budget for the text of names, however short they are.
static constexpr uint64_t kSmallestBudget = uint64_t(64) << 20;

/// A function may be in several tables.
void Symbols::addTo(Alike &map, StringRef name, const Function &function) {
  llvm::SmallVectorImpl<Function> &alike = map[name];
  bool isKnown = llvm::any_of(alike, [&](const Function &other) {
    return other.address == function.address;
  });
  if (!isKnown && alike.size() < kMostAlike)
    alike.push_back(function);
}

void Symbols::add(
    llvm::object::ELFObjectFileBase::elf_symbol_iterator_range table) {
  for (llvm::object::ELFSymbolRef symbol : table) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> address = symbol.getAddress();
    if (name && address && symbol.getELFType() == llvm::ELF::STT_FUNC &&
        !name->empty() && symbol.getSize() != 0) {
      addTo(functions, *name, {*address, symbol.getSize()});
      names.try_emplace(*address, *name, symbol.getSize());
    }
    if (!name)
      llvm::consumeError(name.takeError());
    if (!address)
      llvm::consumeError(address.takeError());
  }
}

void Symbols::forEach(
    llvm::function_ref<void(StringRef, const Function &)> visit) const {
  for (const auto &[address, function] : names)
    visit(function.first, {address, function.second});
}

StringRef Symbols::getNameAt(uint64_t address) const {
  auto it = names.upper_bound(address);
  if (it == names.begin())
    return "";
  auto [begin, function] = *std::prev(it);
  auto [name, size] = function;
  return address - begin < size ? name : "";
}

llvm::ArrayRef<Symbols::Function> Symbols::find(StringRef name) const {
  auto it = functions.find(name);
  if (it == functions.end())
    return {};
  return it->second;
}

//===----------------------------------------------------------------------===//
// Names of the source
//===----------------------------------------------------------------------===//

static std::string dropSpaces(StringRef text) {
  std::string result = text.str();
  llvm::erase(result, ' ');
  return result;
}

void Symbols::addSpellings() {
  MemoryBudget budget(kSmallestBudget);
  for (const auto &entry : functions) {
    budget.grow(entry.first().size());
    llvm::SmallVector<std::string, 3> found = {entry.first().str()};
    unspelled += !addCxxSpellings(entry.first(), budget, found);
    for (const std::string &spelling : found)
      for (const Function &function : entry.second)
        addTo(spellings, dropSpaces(spelling), function);
  }
}

llvm::ArrayRef<Symbols::Function> Symbols::findPrinted(StringRef name) {
  if (spellings.empty())
    addSpellings();
  auto it = spellings.find(dropSpaces(name));
  if (it == spellings.end())
    return {};
  return it->second;
}
