//===- Embedded.cpp - One file for the loader of the runtime --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/include/mlir-prof/Runtime/prof_loader.h"
#include "../MemoryFunctions.h"
#include "../Plan.h"
#include "Containers.h"
#include "mlir-prof/Compile/LinkObjects.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

//===----------------------------------------------------------------------===//
// The description of the model
//===----------------------------------------------------------------------===//

static uint64_t getBytes(const compile::ValueSignature &value) {
  uint64_t bytes = value.bytesPerElement;
  for (int64_t extent : value.shape)
    bytes *= uint64_t(extent);
  return bytes;
}

static Error checkSizes(const DeployedModel &model) {
  uint64_t largest =
      std::max<uint64_t>(model.arenaBytes, model.firstState.size());
  for (const auto *values :
       {&model.signature.arguments, &model.signature.results})
    for (const compile::ValueSignature &value : *values)
      largest = std::max(largest, getBytes(value));
  return largest <= UINT32_MAX
             ? Error::success()
             : inputError("model", "uses more than 4 GiB of memory",
                          "--container=static takes it.");
}

/// The prof_loader_model, and the functions of C that code may call.
static std::string describe(const DeployedModel &model) {
  std::vector<std::string> bytes;
  for (const auto *values :
       {&model.signature.arguments, &model.signature.results})
    for (const compile::ValueSignature &value : *values)
      bytes.push_back("i32 " + std::to_string(getBytes(value)));
  std::string entry = "null", program = "null", reset = "null", text;
  raw_string_ostream os(text);
  if (model.needsInterpreter) {
    program = "@" + model.name + "_program";
    os << program << " = external constant i8\n";
  } else {
    entry = "@" + model.name;
    os << "declare void " << entry << "(ptr, ptr, i32, i32, i32)\n";
  }
  if (!model.firstState.empty()) {
    reset = "@" + model.name + "_reset";
    os << "declare void " << reset << "(ptr)\n";
  }
  os << formatv(
      "@{0}_bytes = internal constant [{1} x i32] [{2}]\n"
      "@{0}_model = constant {{ i32, i32, i32, i32, i32, ptr, ptr, ptr, ptr } "
      "{{ i32 {3}, i32 {4}, i32 {5}, i32 {6}, i32 {7}, ptr @{0}_bytes, ptr "
      "{8}, ptr {9}, ptr {10} }, section \".data.rel.ro\"\n",
      model.name, bytes.size(), join(bytes, ", "), PROF_LOADER_MAGIC,
      model.arenaBytes, model.firstState.size(),
      model.signature.arguments.size(), model.signature.results.size(), entry,
      program, reset);
  os << writeMemoryFunctions(model.target.addressBits);
  return text;
}

//===----------------------------------------------------------------------===//
// Whether the code can stay in its file
//===----------------------------------------------------------------------===//

namespace {
/// Finds out whether code refers to memory that a loader writes. If so, it
/// depends on the distance of that memory.
class VariableReferences {
public:
  Error addDefinitions(const object::ELFObjectFileBase &object);
  Expected<bool> areIn(const object::ELFObjectFileBase &object) const;

private:
  /// Symbols that other objects see.
  StringSet<> fixed, variables;
};
} // namespace

static bool isWritable(const object::SectionRef &section) {
  return (object::ELFSectionRef(section).getFlags() & ELF::SHF_WRITE) != 0;
}

Error VariableReferences::addDefinitions(
    const object::ELFObjectFileBase &object) {
  for (object::ELFSymbolRef symbol : object.symbols()) {
    auto name = symbol.getName();
    auto section = symbol.getSection();
    if (!name || !section)
      return joinErrors(name.takeError(), section.takeError());
    if (symbol.getBinding() != ELF::STB_LOCAL &&
        *section != object.section_end())
      (isWritable(**section) ? variables : fixed).insert(*name);
  }
  return Error::success();
}

Expected<bool>
VariableReferences::areIn(const object::ELFObjectFileBase &object) const {
  for (object::SectionRef section : object.sections()) {
    auto code = section.getRelocatedSection();
    if (!code)
      return code.takeError();
    if (*code == object.section_end() || !(*code)->isText())
      continue;
    for (object::RelocationRef relocation : section.relocations()) {
      object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == object.symbol_end())
        continue;
      auto name = symbol->getName();
      auto place = symbol->getSection();
      if (!name || !place)
        return joinErrors(name.takeError(), place.takeError());
      // Functions of the system are called through a table of addresses.
      if (*place == object.section_end() ? !fixed.contains(*name)
                                         : isWritable(**place))
        return true;
    }
  }
  return false;
}

static Expected<bool> refersToVariables(ArrayRef<StringRef> objects) {
  VariableReferences references;
  std::vector<std::unique_ptr<object::ObjectFile>> files;
  for (StringRef bytes : objects) {
    auto file =
        object::ObjectFile::createELFObjectFile(MemoryBufferRef(bytes, ""));
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
    if (Error error = references.addDefinitions(
            cast<object::ELFObjectFileBase>(*files.back())))
      return std::move(error);
  }
  for (const auto &file : files) {
    auto found = references.areIn(cast<object::ELFObjectFileBase>(*file));
    if (!found || *found)
      return found;
  }
  return false;
}

/// Whether the linker has added tables that code refers to.
static bool hasTables(const object::ELFObjectFileBase &file) {
  return any_of(file.sections(), [](object::SectionRef section) {
    Expected<StringRef> name = section.getName();
    bool isTable = name && name->starts_with(".got") && section.getSize() != 0;
    consumeError(name.takeError());
    return isTable;
  });
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// The largest pages that systems have for such a target. Without pages,
/// segments lie close together; regions of a protection unit begin at multiples
/// of 32 bytes, and constants are aligned to 64.
static unsigned getPageBytes(const codegen::TargetModel &target) {
  if (codegen::isBareMetal(target))
    return 64;
  return Triple(target.triple).isAArch64() ? 1 << 16 : 1 << 12;
}

static std::vector<std::string> getOptions(const DeployedModel &model) {
  unsigned bytes = getPageBytes(model.target);
  std::string page = std::to_string(bytes);
  std::vector<std::string> options = {"--entry=" + model.name + "_model",
                                      "--gc-sections",
                                      "--hash-style=sysv",
                                      "-z",
                                      "rodynamic",
                                      "-z",
                                      "max-page-size=" + page,
                                      "-z",
                                      "common-page-size=" + page};
  // A file of which parts stay in place has the holes of memory, too.
  if (bytes <= 1 << 12)
    append_range(options,
                 ArrayRef<std::string>{"-z", "separate-loadable-segments"});
  return options;
}

/// Removes what the loader does not read, and states whether it may leave code
/// in place.
template <class Elf>
static void finish(std::string &file, bool isFixed) {
  auto &header = *reinterpret_cast<typename Elf::Ehdr *>(file.data());
  ArrayRef<typename Elf::Phdr> segments(
      reinterpret_cast<typename Elf::Phdr *>(file.data() + header.e_phoff),
      header.e_phnum);
  size_t end = 0;
  for (const typename Elf::Phdr &segment : segments)
    end = std::max(end, size_t(segment.p_offset + segment.p_filesz));
  header.e_shoff = 0;
  header.e_shnum = 0;
  header.e_shstrndx = 0;
  header.e_ident[ELF::EI_OSABI] = ELF::ELFOSABI_STANDALONE;
  header.e_ident[ELF::EI_ABIVERSION] = isFixed ? PROF_LOADER_IN_PLACE : 0;
  file.resize(end);
}

static Expected<std::string> link(const DeployedModel &model,
                                  ArrayRef<StringRef> objects) {
  auto file = compile::linkEmbedded(objects, getOptions(model));
  auto refers = refersToVariables(objects);
  if (!file || !refers)
    return joinErrors(file.takeError(), refers.takeError());
  auto parsed =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(*file, ""));
  if (!parsed)
    return parsed.takeError();
  bool isFixed =
      !*refers && !hasTables(cast<object::ELFObjectFileBase>(**parsed));
  if ((*parsed)->is64Bit())
    finish<object::ELF64LE>(*file, isFixed);
  else
    finish<object::ELF32LE>(*file, isFixed);
  return std::move(*file);
}

static Expected<std::vector<PackageFile>> pack(const DeployedModel &model) {
  if (!model.variants.empty())
    return usageError("'--container=embedded' does not go with --variants: a "
                      "program loads the file for its processor");
  if (model.yields)
    return usageError("'--container=embedded' does not go with --yield");
  if (!model.devices.empty())
    return usageError("'--container=embedded' does not go with devices, whose "
                      "tables are in the program");
  if ((!model.hasEntry && !model.needsInterpreter) || !model.files.empty())
    return usageError("'--container=embedded' goes with '--control=compiled' "
                      "and '--control=bytecode', not with '--control=" +
                      model.controlName + "'");
  if (Error error = checkSizes(model))
    return std::move(error);
  DeployedModel whole = model;
  if (Error error = addAssembly("model", describe(model), whole))
    return std::move(error);
  std::vector<StringRef> objects;
  for (const PackageObject &part : whole.objects)
    objects.push_back(part.object);
  auto file = link(model, objects);
  if (!file)
    return file.takeError();
  std::vector<PackageFile> files;
  files.push_back({model.name + ".mpm", std::move(*file)});
  return std::move(files);
}

Container container::Embedded() {
  return {"embedded", "one file for the loader of the runtime, NAME.mpm", pack,
          /*isLoaded=*/true};
}
