//===- ReadLibrary.cpp - Reading compiled models --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Cache/ModelFile.h"
#include "Features.h"
#include "LibraryFile.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Compile/ModelLibrary.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Reads a compiled model.
class LibraryReader {
public:
  LibraryReader(StringRef bytes, StringRef path) : bytes(bytes), path(path) {}
  Expected<ModelLibrary> read();

private:
  Error fail(const Twine &what) const {
    return inputError(path, what,
                      "Compile the model again with mlir-prof compile.");
  }
  Error readFooter();
  Error readDirectory();
  StringRef getSection(prof_model_section_kind kind) const;
  Error checkMachine(ByteReader &interface) const;

  StringRef bytes, path;
  prof_model_footer footer;
  std::vector<prof_model_section> directory;
};
} // namespace

/// Whether `bytes` end as a file of any form does: the last character numbers
/// the form.
static bool hasMagic(StringRef bytes) {
  return bytes.drop_back(bytes.empty() ? 0 : 1)
      .ends_with(StringRef(PROF_MODEL_MAGIC).drop_back());
}

bool compile::isLibrary(StringRef bytes) {
  // One that is cut off still begins as one.
  return bytes.starts_with(StringRef(ELF::ElfMagic, 4)) || hasMagic(bytes);
}

Error LibraryReader::readFooter() {
  if (!hasMagic(bytes) || bytes.size() < sizeof footer)
    return fail("is not a compiled model, or it is cut off");
  std::memcpy(&footer, bytes.take_back(sizeof footer).data(), sizeof footer);
  if (StringRef(footer.magic, sizeof footer.magic) != PROF_MODEL_MAGIC)
    return fail("is a compiled model of another version of mlir-prof");
  uint64_t end = bytes.size() - sizeof footer;
  if (footer.directory_offset > end ||
      footer.sections !=
          (end - footer.directory_offset) / sizeof(prof_model_section) ||
      (end - footer.directory_offset) % sizeof(prof_model_section) != 0)
    return fail("is damaged: its directory is not whole");
  StringRef entries = bytes.slice(footer.directory_offset, end);
  if (hashDirectory(entries, footer) != footer.hash)
    return fail("is damaged: its directory has changed");
  directory.resize(footer.sections);
  std::memcpy(directory.data(), entries.data(), entries.size());
  return Error::success();
}

Error LibraryReader::readDirectory() {
  if (footer.library_bytes > bytes.size() ||
      footer.constants_begin > footer.constants_end ||
      footer.constants_end > footer.library_bytes ||
      hashLibrary(bytes.take_front(footer.library_bytes),
                  footer.constants_begin,
                  footer.constants_end) != footer.library_hash)
    return fail("is damaged: its code has changed");
  for (const prof_model_section &section : directory)
    if (section.offset > bytes.size() ||
        section.size > bytes.size() - section.offset ||
        hashBytes(bytes.substr(section.offset, section.size)) != section.hash)
      return fail("is damaged: section " + Twine(section.kind) +
                  " has changed");
  return Error::success();
}

/// Empty if there is none.
StringRef LibraryReader::getSection(prof_model_section_kind kind) const {
  for (const prof_model_section &section : directory)
    if (section.kind == uint64_t(kind))
      return bytes.substr(section.offset, section.size);
  return {};
}

/// Reads the first fields of the interface.
Error LibraryReader::checkMachine(ByteReader &interface) const {
  Triple triple(sys::getProcessTriple());
  uint64_t machine = triple.isX86()       ? ELF::EM_X86_64
                     : triple.isAArch64() ? ELF::EM_AARCH64
                                          : ELF::EM_NONE;
  if (interface.getInteger() != machine)
    return inputError(path, "is for another kind of processor",
                      "Compile the model on this machine.");
  return Error::success();
}

Expected<ModelLibrary> LibraryReader::read() {
  PROF_SCOPE("read compiled model");
  if (Error error = readFooter())
    return std::move(error);
  if (Error error = readDirectory())
    return std::move(error);
  ByteReader interface(getSection(PROF_MODEL_INTERFACE_SECTION));
  if (Error error = checkMachine(interface))
    return std::move(error);
  ModelLibrary read;
  read.threads = unsigned(interface.getInteger());
  interface.getInteger();
  std::string missing = describeMissing(interface.getInteger());
  if (!missing.empty())
    return inputError(
        path, "is for a processor with " + missing + ", which this one lacks",
        "Compile the model for this one, or with --cpu.");
  ModelParts parts = {getSection(PROF_MODEL_BUILD_SECTION),
                      getSection(PROF_MODEL_PROGRAM_SECTION),
                      getSection(PROF_MODEL_LEVELS_SECTION),
                      getSection(PROF_MODEL_OBJECT_SECTION),
                      bytes.take_front(footer.library_bytes)};
  std::optional<CompiledModel> model = parseParts(parts, read.warnings);
  if (!interface.isGood() || !model)
    return fail("is damaged: its model is not whole");
  // The reader is not asked whether it is done: more fields follow.
  (void)interface.isDone();
  read.model = std::move(*model);
  return std::move(read);
}

Expected<ModelLibrary> compile::readLibrary(StringRef bytes, StringRef path) {
  return LibraryReader(bytes, path).read();
}
