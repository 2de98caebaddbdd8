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
#include "llvm/ADT/SmallVector.h"

using namespace mlirprof;
using namespace mlirprof::perfscript;
using llvm::StringRef;

/// Bytes that names may be printed in, however short the names are.
static constexpr uint64_t kSmallestBudget = uint64_t(64) << 20;

static void addTo(llvm::StringMap<Symbols::Function> &map, StringRef name,
                  const Symbols::Function &function) {
  auto [it, isNew] = map.try_emplace(name, function);
  it->second.isUnique &=
      function.isUnique && (isNew || it->second.address == function.address);
}

void Symbols::add(
    llvm::object::ELFObjectFileBase::elf_symbol_iterator_range table) {
  for (llvm::object::ELFSymbolRef symbol : table) {
    llvm::Expected<StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> address = symbol.getAddress();
    if (name && address && symbol.getELFType() == llvm::ELF::STT_FUNC &&
        !name->empty() && symbol.getSize() != 0) {
      addTo(functions, *name, {*address, symbol.getSize()});
      names.try_emplace(*address, functions.find(*name)->first());
    }
    if (!name)
      llvm::consumeError(name.takeError());
    if (!address)
      llvm::consumeError(address.takeError());
  }
}

StringRef Symbols::getNameAt(uint64_t address) const {
  auto it = names.upper_bound(address);
  if (it == names.begin())
    return "";
  auto [begin, name] = *std::prev(it);
  return address - begin < functions.find(name)->second.size ? name : "";
}

const Symbols::Function *Symbols::find(StringRef name) const {
  auto it = functions.find(name);
  return it == functions.end() ? nullptr : &it->second;
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
    addTo(spellings, dropSpaces(entry.first()), entry.second);
    budget.grow(entry.first().size());
    llvm::SmallVector<std::string, 2> found;
    unspelled += !addCxxSpellings(entry.first(), budget, found);
    for (const std::string &spelling : found)
      addTo(spellings, dropSpaces(spelling), entry.second);
  }
}

const Symbols::Function *Symbols::findPrinted(StringRef name) {
  if (spellings.empty())
    addSpellings();
  auto it = spellings.find(dropSpaces(name));
  return it == spellings.end() ? nullptr : &it->second;
}
