//===- ElfFile.cpp - ELF files that may be damaged ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElfFile.h"
#include "mlir-prof/Support/CallInstruction.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;

/// LLVM's readers trust the sizes of sections in a header: beyond the file they
/// would run for hours, and allocate the claimed size of packed sections, which
/// may overlap.
static bool isSound(const llvm::object::ELFObjectFileBase &file) {
  constexpr uint64_t kMostUnpacked = uint64_t(1) << 31;
  uint64_t size = file.getData().size(), unpacked = 0;
  for (llvm::object::ELFSectionRef section : file.sections()) {
    if (section.getType() == llvm::ELF::SHT_NOBITS)
      continue;
    uint64_t offset = section.getOffset();
    if (offset > size || section.getSize() > size - offset)
      return false;
    if (!(section.getFlags() & llvm::ELF::SHF_COMPRESSED))
      continue;
    llvm::DataExtractor header(file.getData().substr(offset, section.getSize()),
                               file.isLittleEndian(), file.getBytesInAddress());
    // Follows the type of the compression, which 64-bit files pad.
    uint64_t at = file.getBytesInAddress();
    unpacked = llvm::SaturatingAdd(
        unpacked, header.getUnsigned(&at, file.getBytesInAddress()));
    if (unpacked > kMostUnpacked)
      return false;
  }
  return file.getEType() == llvm::ELF::ET_EXEC ||
         file.getEType() == llvm::ELF::ET_DYN;
}

std::optional<ElfFile> ElfFile::open(StringRef path) {
  // Pipes and devices would block, or react to being read.
  if (!llvm::sys::fs::is_regular_file(path))
    return std::nullopt;
  auto buffer = openInput(path);
  if (!buffer) {
    llvm::consumeError(buffer.takeError());
    return std::nullopt;
  }
  auto file = llvm::object::ObjectFile::createELFObjectFile(**buffer);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  ElfFile elf;
  elf.buffer = std::move(*buffer);
  elf.file.reset(llvm::cast<llvm::object::ELFObjectFileBase>(file->release()));
  if (!isSound(*elf.file))
    return std::nullopt;
  return std::move(elf);
}

std::string ElfFile::getBuildId() const {
  return llvm::toHex(llvm::object::getBuildID(file.get()), /*LowerCase=*/true);
}

std::optional<StringRef> ElfFile::getSection(StringRef name) const {
  for (llvm::object::SectionRef section : file->sections()) {
    llvm::Expected<StringRef> known = section.getName();
    if (!known || *known != name) {
      llvm::consumeError(known.takeError());
      continue;
    }
    llvm::Expected<StringRef> contents = section.getContents();
    if (contents)
      return *contents;
    llvm::consumeError(contents.takeError());
    return std::nullopt;
  }
  return std::nullopt;
}

template <typename ElfType>
static std::optional<uint64_t>
findAddress(const llvm::object::ELFObjectFile<ElfType> &object,
            uint64_t offset) {
  auto headers = object.getELFFile().program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return std::nullopt;
  }
  for (const auto &header : *headers)
    if (header.p_type == llvm::ELF::PT_LOAD && offset >= header.p_offset &&
        offset - header.p_offset < header.p_filesz)
      return offset - header.p_offset + header.p_vaddr;
  return std::nullopt;
}

std::optional<uint64_t> ElfFile::getAddress(uint64_t offset) const {
  using namespace llvm::object;
  if (auto *object = llvm::dyn_cast<ELF64LEObjectFile>(file.get()))
    return findAddress(*object, offset);
  if (auto *object = llvm::dyn_cast<ELF64BEObjectFile>(file.get()))
    return findAddress(*object, offset);
  if (auto *object = llvm::dyn_cast<ELF32LEObjectFile>(file.get()))
    return findAddress(*object, offset);
  if (auto *object = llvm::dyn_cast<ELF32BEObjectFile>(file.get()))
    return findAddress(*object, offset);
  return std::nullopt;
}

/// One after the byte at `address` in the file, or 0 if it is not in the file.
template <typename ElfType>
static uint64_t
findOffsetBehind(const llvm::object::ELFObjectFile<ElfType> &object,
                 uint64_t address) {
  const auto &elf = object.getELFFile();
  llvm::Expected<const uint8_t *> byte = elf.toMappedAddr(
      address, [](const llvm::Twine &) { return llvm::Error::success(); });
  if (byte)
    return uint64_t(*byte - elf.base()) + 1;
  llvm::consumeError(byte.takeError());
  return 0;
}

bool ElfFile::isBehindCall(uint64_t address) const {
  using namespace llvm::object;
  const auto *code =
      reinterpret_cast<const uint8_t *>(file->getData().bytes_begin());
  if (auto *object = llvm::dyn_cast<ELF64LEObjectFile>(file.get())) {
    uint64_t offset = findOffsetBehind(*object, address - 1);
    if (file->getEMachine() == llvm::ELF::EM_X86_64)
      return endsWithCallOfX86(code, offset);
    if (file->getEMachine() == llvm::ELF::EM_AARCH64)
      return endsWithCallOfAArch64(code, offset);
  }
  return false;
}
