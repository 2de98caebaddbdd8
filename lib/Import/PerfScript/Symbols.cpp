//===- Symbols.cpp - The functions of an object ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Demangle/Demangle.h"

#include <cstdlib>

using namespace mlirprof;
using namespace mlirprof::perfscript;
using llvm::StringRef;

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

/// "ns::f<int>" of "_ZN2ns1fIiEEvT_", as perf prints it unless it is asked for
/// more (-v); "" for what is no function of C++.
static std::string getShortName(const std::string &mangled) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return "";
  char *text = demangler.getFunctionName(nullptr, nullptr);
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

/// How a function may be printed, the linker's name aside.
static llvm::SmallVector<std::string, 2> getSpellings(StringRef name) {
  // Parts that an optimiser made, "_Z1fv.cold", are printed "f [clone .cold]".
  size_t dot = name.starts_with("_Z") ? name.find('.') : StringRef::npos;
  std::string base = name.take_front(dot).str();
  std::string clone = dot == StringRef::npos
                          ? ""
                          : ("[clone" + name.drop_front(dot) + "]").str();
  llvm::SmallVector<std::string, 2> found;
  if (std::string full = llvm::demangle(base); full != base)
    found.push_back(dropSpaces(full + clone));
  if (std::string shortName = getShortName(base); !shortName.empty())
    found.push_back(dropSpaces(shortName + clone));
  return found;
}

void Symbols::addSpellings() {
  for (const auto &entry : functions) {
    addTo(spellings, dropSpaces(entry.first()), entry.second);
    for (const std::string &spelling : getSpellings(entry.first()))
      addTo(spellings, spelling, entry.second);
  }
}

const Symbols::Function *Symbols::findPrinted(StringRef name) {
  if (spellings.empty())
    addSpellings();
  auto it = spellings.find(dropSpaces(name));
  return it == spellings.end() ? nullptr : &it->second;
}
