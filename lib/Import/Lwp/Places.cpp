//===- Places.cpp - The program of a light-weight profile -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "../PerfScript/Object.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::lwp;
using perfscript::Object;

/// The only ELF file in `folder`.
static llvm::Expected<std::unique_ptr<Object>>
openProgram(llvm::StringRef folder) {
  std::unique_ptr<Object> found;
  std::string name;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error)) {
    std::unique_ptr<Object> object = Object::open(it->path(), folder);
    if (!object)
      continue;
    if (found)
      return inputError(folder,
                        "has several programs, such as '" +
                            llvm::sys::path::filename(name) + "' and '" +
                            llvm::sys::path::filename(it->path()) + "'",
                        "Name a folder with the program that ran alone.");
    found = std::move(object);
    name = it->path();
  }
  if (error)
    return inputError(folder, error.message());
  if (!found)
    return inputError(folder, "does not have a program in ELF");
  // Programs of others have functions, too.
  if (!found->hasLines())
    found->readSymbols();
  return std::move(found);
}

template <class Elf>
static uint64_t getBegin(const llvm::object::ELFObjectFile<Elf> &file) {
  uint64_t begin = std::numeric_limits<uint64_t>::max();
  auto segments = file.getELFFile().program_headers();
  if (!segments) {
    llvm::consumeError(segments.takeError());
    return begin;
  }
  for (const auto &segment : *segments)
    if (segment.p_type == llvm::ELF::PT_LOAD)
      begin = std::min<uint64_t>(begin, segment.p_vaddr);
  return begin;
}

/// The lowest address of the memory of `object`, as it says.
static uint64_t getBegin(const Object &object) {
  const llvm::object::ELFObjectFileBase &file = *object.getFile().file;
  if (const auto *wide = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(&file))
    return getBegin(*wide);
  if (const auto *wide = llvm::dyn_cast<llvm::object::ELF64BEObjectFile>(&file))
    return getBegin(*wide);
  if (const auto *big = llvm::dyn_cast<llvm::object::ELF32BEObjectFile>(&file))
    return getBegin(*big);
  return getBegin(llvm::cast<llvm::object::ELF32LEObjectFile>(file));
}

namespace {
class Finder {
public:
  Finder(Object &object, std::optional<uint64_t> loadAddress)
      : object(object),
        shift(loadAddress ? *loadAddress - getBegin(object) : 0) {
    // Bit 0 of an address of Thumb code is a mode.
    uint16_t machine = object.getFile().file->getEMachine();
    mask = machine == llvm::ELF::EM_ARM ? ~uint64_t(1) : ~uint64_t(0);
  }

  /// Whether the program has a function there.
  bool find(Measured &measured);

private:
  uint64_t getAddress(uint64_t inMemory) const {
    return (inMemory & mask) - shift;
  }

  Object &object;
  uint64_t shift, mask;
};
} // namespace

bool Finder::find(Measured &measured) {
  uint64_t begin = getAddress(measured.begin), end = getAddress(measured.end);
  llvm::StringRef name = object.getSymbols().getNameAt(begin);
  if (name.empty())
    return false;
  measured.function = name.str();
  // Functions of the same name are those of several files.
  for (const auto &function : object.getSymbols().find(name))
    if (begin - function.address < std::max<uint64_t>(function.size, 1)) {
      measured.begin = begin - function.address;
      measured.end = end >= function.address ? end - function.address : 0;
    }
  // The address follows a call, which may be the last of its line.
  const std::vector<profile::SourcePosition> *chain =
      object.getChain(begin == 0 ? begin : begin - 1);
  if (!chain || chain->empty())
    return true;
  const profile::SourcePosition &position = chain->front();
  measured.location = position.file + ":" + std::to_string(position.line);
  if (position.column != 0)
    measured.location += ":" + std::to_string(position.column);
  return true;
}

llvm::Error lwp::findPlaces(const ImportInput &input,
                            std::map<uint32_t, Measured> &measured,
                            profile::ProfileBuilder &builder) {
  if (input.objects.empty()) {
    if (input.loadAddress)
      return inputError(input.where,
                        "the address of a program needs the program",
                        "Name its folder with --objects.");
    return llvm::Error::success();
  }
  auto object = openProgram(input.objects);
  if (!object)
    return object.takeError();
  Finder finder(**object, input.loadAddress);
  uint64_t unknown = 0;
  for (auto &[id, info] : measured)
    if (!finder.find(info))
      ++unknown;
  if (unknown == measured.size() && unknown != 0)
    return inputError(input.where,
                      "the program in '" + input.objects +
                          "' does not have a function at any address of it",
                      "Pass the address of the program in memory as "
                      "--load-address.");
  if (unknown != 0)
    builder.loss("function or loop that the program does not have", unknown, 0);
  return llvm::Error::success();
}
