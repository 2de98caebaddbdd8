//===- WriteLibrary.cpp - Writing compiled models -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Cache/ModelFile.h"
#include "Features.h"
#include "HostFunctions.h"
#include "LibraryFile.h"
#include "Places.h"
#include "SerialLoops.h"
#include "Slots.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Compile/ConstantObject.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Compile/ModelLibrary.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

namespace {
/// Writes a compiled model.
class LibraryWriter {
public:
  LibraryWriter(const CompiledModel &model, const BuildWarnings &warnings,
                const codegen::TargetModel &target)
      : model(model), warnings(warnings), target(target) {}

  Error prepare();
  LibrarySizes write(raw_ostream &os);

private:
  Error link();
  Error findConstants();
  std::string writeInterface() const;
  void addSection(prof_model_section_kind kind, std::string content);

  const CompiledModel &model;
  const BuildWarnings &warnings;
  const codegen::TargetModel &target;
  std::string library;
  uint16_t machine = 0;
  /// The places of the constants in the file, and the addresses of all symbols.
  StringMap<uint64_t> places, addresses;
  prof_model_footer footer = {};
  std::vector<prof_model_section> directory;
  std::vector<std::string> contents;
};
} // namespace

Error LibraryWriter::link() {
  BackendOptions backend;
  backend.target = target;
  auto host = emitHostFunctions(target);
  auto empty = emitData({}, backend);
  if (!host || !empty)
    return joinErrors(host.takeError(), empty.takeError());
  std::string constants;
  if (!model.constants.empty()) {
    auto written = writeConstants(model);
    if (!written)
      return written.takeError();
    constants = std::move(*written);
  }
  SmallVector<StringRef> objects = {model.object, *host};
  if (!constants.empty())
    objects.push_back(constants);
  std::string loops;
  if (model.usesOpenMP) {
    auto emitted = emitSerialLoops(target);
    if (!emitted)
      return emitted.takeError();
    loops = std::move(*emitted);
    objects.push_back(loops);
  }
  auto linked =
      linkLibrary(objects,
                  {PROF_MODEL_ENTRY, PROF_MODEL_RESET, PROF_MODEL_HOST,
                   PROF_MODEL_INSTANCE, codegen::kStateSymbol},
                  getNeededLibraries(), *empty);
  if (!linked)
    return linked.takeError();
  library = std::move(*linked);
  return checkNeededFunctions(library);
}

/// The file's place of the address `address` of `file`; none if it is not in
/// the file.
static std::optional<uint64_t>
findPlace(const object::ELF64LEFile &file,
          const object::ELF64LE::PhdrRange &segments, uint64_t address) {
  for (const object::ELF64LE::Phdr &segment : segments)
    if (segment.p_type == ELF::PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return std::nullopt;
}

/// Finds the places of the constants in the library.
Error LibraryWriter::findConstants() {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(library, "the library"));
  if (!file)
    return file.takeError();
  const auto &object = *cast<object::ELF64LEObjectFile>(file->get());
  machine = object.getELFFile().getHeader().e_machine;
  auto segments = object.getELFFile().program_headers();
  if (!segments)
    return segments.takeError();
  for (const object::SymbolRef &symbol : object.symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    if (!name || !address)
      return joinErrors(name.takeError(), address.takeError());
    addresses[*name] = *address;
  }
  uint64_t begin = UINT64_MAX, end = 0;
  for (const ExternalConstant &constant : model.constants) {
    auto place = findPlace(object.getELFFile(), *segments,
                           addresses.lookup(constant.name));
    if (!place || library.size() - *place < constant.bytes.size() ||
        std::memcmp(&library[*place], constant.bytes.data(),
                    constant.bytes.size()) != 0)
      return inputError(constant.name, "the linker lost this constant");
    places[constant.name] = *place;
    begin = std::min(begin, *place);
    end = std::max(end, *place + constant.bytes.size());
  }
  footer.constants_begin = model.constants.empty() ? 0 : begin;
  footer.constants_end = end;
  return Error::success();
}

/// See prof_model_file.h.
std::string LibraryWriter::writeInterface() const {
  uint64_t entry = 0, textEnd = 0;
  for (const MachineFunction &function : model.program.functions) {
    if (function.name == model.entrySymbol)
      entry = function.begin;
    textEnd = std::max(textEnd, function.end);
  }
  std::string bytes;
  ByteWriter writer(bytes);
  writer.put(uint64_t(machine));
  writer.put(uint64_t(std::max(target.threads, 1u)));
  uint64_t flags = 0;
  if (model.usesExecutor)
    flags |= PROF_MODEL_USES_EXECUTOR;
  if (!model.resetSymbol.empty())
    flags |= PROF_MODEL_HAS_STATE;
  writer.put(flags);
  writer.put(getFeatures(target));
  writer.put(uint64_t(model.stateBytes));
  writer.put(uint64_t(0) - entry);
  writer.put(textEnd - entry);
  writer.put(fingerprintProgram(model.program));
  writer.put(model.signature);
  return bytes;
}

void LibraryWriter::addSection(prof_model_section_kind kind,
                               std::string content) {
  uint64_t end = directory.empty()
                     ? library.size()
                     : directory.back().offset + directory.back().size;
  directory.push_back({uint64_t(kind), alignTo(end, kSectionAlignment),
                       content.size(), hashBytes(content)});
  contents.push_back(std::move(content));
}

Error LibraryWriter::prepare() {
  if (Error error = link())
    return error;
  if (Error error = findConstants())
    return error;
  PROF_SCOPE("describe model");
  auto slots = writeSlots(library, model.constants, addresses);
  if (!slots)
    return slots.takeError();
  addSection(PROF_MODEL_INTERFACE_SECTION, writeInterface());
  addSection(PROF_MODEL_PLACES_SECTION, writePlaces(model.program));
  addSection(PROF_MODEL_BUILD_SECTION,
             writeTable(model, warnings, [&](const ExternalConstant &constant) {
               return places.lookup(constant.name);
             }));
  addSection(PROF_MODEL_PROGRAM_SECTION, serializeProgram(model.program));
  addSection(PROF_MODEL_LEVELS_SECTION, writeLevels(model));
  addSection(PROF_MODEL_OBJECT_SECTION, model.object);
  addSection(PROF_MODEL_CONSTANTS_SECTION, std::move(*slots));
  return Error::success();
}

LibrarySizes LibraryWriter::write(raw_ostream &os) {
  PROF_SCOPE("write model");
  uint64_t written = library.size();
  os << library;
  auto pad = [&](uint64_t to) {
    os.write_zeros(unsigned(to - written));
    written = to;
  };
  for (auto [section, content] : zip_equal(directory, contents)) {
    pad(section.offset);
    os << content;
    written += content.size();
  }
  footer.directory_offset = alignTo(written, kSectionAlignment);
  pad(footer.directory_offset);
  StringRef entries(reinterpret_cast<const char *>(directory.data()),
                    directory.size() * sizeof(prof_model_section));
  footer.library_bytes = library.size();
  footer.library_hash =
      hashLibrary(library, footer.constants_begin, footer.constants_end);
  footer.sections = directory.size();
  footer.hash = hashDirectory(entries, footer);
  std::memcpy(footer.magic, PROF_MODEL_MAGIC, sizeof footer.magic);
  os << entries;
  os.write(reinterpret_cast<const char *>(&footer), sizeof footer);
  uint64_t constants = footer.constants_end - footer.constants_begin;
  return {library.size() - constants, constants,
          written + entries.size() + sizeof footer};
}

Expected<LibrarySizes> compile::writeLibrary(const CompiledModel &model,
                                             const BuildWarnings &warnings,
                                             const codegen::TargetModel &target,
                                             raw_ostream &os) {
  LibraryWriter writer(model, warnings, target);
  if (Error error = writer.prepare())
    return std::move(error);
  return writer.write(os);
}
