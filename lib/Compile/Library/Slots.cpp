//===- Slots.cpp - Where code finds the constants of models ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code loads the address of a constant from the library's global offset table,
// whose entries the dynamic loader fills by relative relocations.
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include "mlir-prof/Compile/Bytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

using Slots = DenseMap<uint64_t, SmallVector<uint64_t, 1>>;

/// The addresses of pointers of `file`, by the address to which they point.
static Expected<Slots> findSlots(const object::ELF64LEFile &file) {
  Slots slots;
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const object::ELF64LE::Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_RELA ||
        !(section.sh_flags & ELF::SHF_ALLOC))
      continue;
    auto relocations = file.relas(section);
    if (!relocations)
      return relocations.takeError();
    for (const object::ELF64LE::Rela &relocation : *relocations)
      if (relocation.getType(/*isMips64EL=*/false) ==
          file.getRelativeRelocationType())
        slots[relocation.r_addend].push_back(relocation.r_offset);
  }
  return slots;
}

Expected<std::string>
compile::writeSlots(StringRef library, ArrayRef<ExternalConstant> constants,
                    const StringMap<uint64_t> &addresses) {
  auto file = object::ELF64LEFile::create(library);
  if (!file)
    return file.takeError();
  auto slots = findSlots(*file);
  if (!slots)
    return slots.takeError();
  std::string bytes;
  ByteWriter writer(bytes);
  writer.put(uint64_t(constants.size()));
  for (const ExternalConstant &constant : constants) {
    uint64_t address = addresses.lookup(constant.name);
    SmallVector<uint64_t, 1> found = slots->lookup(address);
    writer.put(address);
    writer.put(uint64_t(constant.bytes.size()));
    writer.put(std::max(constant.alignment, uint64_t(1)));
    writer.put(uint64_t(found.size()));
    for (uint64_t slot : found)
      writer.put(slot);
  }
  return bytes;
}
