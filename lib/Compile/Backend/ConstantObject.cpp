//===- ConstantObject.cpp - An object with its constants ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants are raw bytes: an object with one section, which the linker joins
// with the code. LLVM's own writers would build an expression of each first.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/ConstantObject.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

static constexpr uint64_t kPage = 4096;

namespace {
/// Writes a relocatable object with a section of constants.
class ConstantWriter {
public:
  ConstantWriter(ArrayRef<ExternalConstant> constants, uint16_t machine)
      : constants(constants) {
    memcpy(header.e_ident, ELF::ElfMagic, 4);
    header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
    header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
    header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
    header.e_type = ELF::ET_REL;
    header.e_machine = machine;
    header.e_version = ELF::EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(ELF::Elf64_Shdr);
    bytes.resize(sizeof header);
  }

  std::string write();

private:
  enum Section : uint16_t { Null, Constants, Symbols, Names, SectionNames };

  void addConstants();
  void addSymbols();
  void addSectionNames();
  void addHeaders();
  void begin(Section section, uint64_t alignment);
  void end(Section section) {
    sections[section].sh_size = bytes.size() - sections[section].sh_offset;
  }
  template <typename T>
  void append(const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }

  ArrayRef<ExternalConstant> constants;
  std::string bytes;
  ELF::Elf64_Ehdr header = {};
  ELF::Elf64_Shdr sections[SectionNames + 1] = {};
  std::vector<uint64_t> offsets;
};
} // namespace

void ConstantWriter::begin(Section section, uint64_t alignment) {
  bytes.resize(alignTo(bytes.size(), alignment));
  sections[section].sh_offset = bytes.size();
  sections[section].sh_addralign = alignment;
}

void ConstantWriter::addConstants() {
  begin(Constants, kPage);
  uint64_t start = bytes.size(), size = 0;
  for (const ExternalConstant &constant : constants)
    size = alignTo(size, kPage) + constant.bytes.size();
  bytes.reserve(start + size);
  for (const ExternalConstant &constant : constants) {
    uint64_t alignment = std::max(constant.alignment, uint64_t(1));
    if (constant.bytes.size() >= kPage)
      alignment = std::max(alignment, kPage);
    sections[Constants].sh_addralign =
        std::max<uint64_t>(sections[Constants].sh_addralign, alignment);
    uint64_t offset = alignTo(bytes.size() - start, alignment);
    bytes.resize(start + offset);
    offsets.push_back(offset);
    bytes.append(constant.bytes.data(), constant.bytes.size());
  }
  sections[Constants].sh_type = ELF::SHT_PROGBITS;
  sections[Constants].sh_flags = ELF::SHF_ALLOC;
  end(Constants);
}

void ConstantWriter::addSymbols() {
  std::string names(1, '\0');
  begin(Symbols, alignof(ELF::Elf64_Sym));
  append(ELF::Elf64_Sym{});
  for (auto [constant, offset] : zip_equal(constants, offsets)) {
    ELF::Elf64_Sym symbol = {};
    symbol.st_name = uint32_t(names.size());
    symbol.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
    symbol.st_shndx = Constants;
    symbol.st_value = offset;
    symbol.st_size = constant.bytes.size();
    append(symbol);
    names += constant.name + '\0';
  }
  sections[Symbols].sh_type = ELF::SHT_SYMTAB;
  sections[Symbols].sh_link = Names;
  // The first that is not local.
  sections[Symbols].sh_info = 1;
  sections[Symbols].sh_entsize = sizeof(ELF::Elf64_Sym);
  end(Symbols);
  begin(Names, 1);
  bytes += names;
  sections[Names].sh_type = ELF::SHT_STRTAB;
  end(Names);
}

void ConstantWriter::addSectionNames() {
  begin(SectionNames, 1);
  uint64_t start = bytes.size();
  const std::pair<Section, StringRef> names[] = {{Null, ""},
                                                 {Constants, kConstantSection},
                                                 {Symbols, ".symtab"},
                                                 {Names, ".strtab"},
                                                 {SectionNames, ".shstrtab"}};
  for (auto [section, name] : names) {
    sections[section].sh_name = uint32_t(bytes.size() - start);
    bytes += (name + Twine('\0')).str();
  }
  sections[SectionNames].sh_type = ELF::SHT_STRTAB;
  end(SectionNames);
}

void ConstantWriter::addHeaders() {
  bytes.resize(alignTo(bytes.size(), alignof(ELF::Elf64_Shdr)));
  header.e_shoff = bytes.size();
  header.e_shnum = SectionNames + 1;
  header.e_shstrndx = SectionNames;
  for (const ELF::Elf64_Shdr &section : sections)
    append(section);
  memcpy(bytes.data(), &header, sizeof header);
}

std::string ConstantWriter::write() {
  addConstants();
  addSymbols();
  addSectionNames();
  addHeaders();
  return std::move(bytes);
}

Expected<std::string> compile::writeConstants(const CompiledModel &model) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(model.object, "the object"));
  if (!file)
    return file.takeError();
  const auto *object = dyn_cast<object::ELF64LEObjectFile>(file->get());
  if (!object)
    return inputError("the object", "it is not of 64 bits, little endian");
  return ConstantWriter(model.constants,
                        object->getELFFile().getHeader().e_machine)
      .write();
}

Expected<std::string> compile::addConstants(const CompiledModel &model) {
  if (model.constants.empty())
    return model.object;
  auto constants = writeConstants(model);
  if (!constants)
    return constants.takeError();
  return linkObjects({model.object, *constants});
}
