//===- CompilerIdentity.cpp - All that determines code --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerIdentity.h"
#include "../StageRunner.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

#include <elf.h>
#include <link.h>
#include <map>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// The builds of the loaded programs, as text.
struct BuildIds {
  std::string text;
  bool isFirst = true;
};
} // namespace

/// The note that linkers write of a build, as hexadecimal digits.
static std::string readBuildId(const dl_phdr_info &info) {
  for (unsigned i = 0; i != info.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    StringRef notes(
        reinterpret_cast<const char *>(info.dlpi_addr + segment.p_vaddr),
        segment.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      memcpy(&note, notes.data(), sizeof note);
      size_t name = alignTo(note.n_namesz, 4), length = note.n_descsz;
      notes = notes.drop_front(sizeof note);
      if (name > notes.size() || length > notes.size() - name)
        break;
      if (note.n_type == NT_GNU_BUILD_ID)
        return toHex(notes.substr(name, length), /*LowerCase=*/true);
      notes =
          notes.drop_front(std::min(notes.size(), name + alignTo(length, 4)));
    }
  }
  return "";
}

/// Without a note, the file's size and time tell its builds apart.
static std::string describeFile(StringRef path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return path.str();
  return std::to_string(status.getSize()) + "@" +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

static int addBuildId(dl_phdr_info *info, size_t, void *data) {
  auto &ids = *static_cast<BuildIds *>(data);
  StringRef path = info->dlpi_name;
  bool isProgram = std::exchange(ids.isFirst, false);
  StringRef name = sys::path::filename(path);
  bool counts = isProgram || name.contains("LLVM") || name.contains("MLIR") ||
                name.contains("mlir");
  if (!counts)
    return 0;
  std::string id = readBuildId(*info);
  ids.text +=
      (id.empty() ? describeFile(isProgram ? "/proc/self/exe" : path) : id) +
      " ";
  return 0;
}

/// The builds of this program, MLIR and LLVM.
static const std::string &getCompilerIdentity() {
  static const std::string identity = [] {
    BuildIds ids;
    dl_iterate_phdr(addBuildId, &ids);
    return (getVersion() + " " + ids.text).str();
  }();
  return identity;
}

/// The processor of this machine. A virtual one may lack features of its name.
static const std::string &getHostIdentity() {
  static const std::string identity = [] {
    std::string text = sys::getHostCPUName().str();
    std::map<StringRef, bool> features;
    StringMap<bool> known = sys::getHostCPUFeatures();
    for (const auto &feature : known)
      features[feature.first()] = feature.second;
    for (auto [name, isThere] : features)
      if (isThere)
        text += ("+" + name).str();
    return text;
  }();
  return identity;
}

/// Fails to compile when a member is added, which determines code, too.
static void describe(const codegen::TargetModel &target, raw_ostream &os) {
  const auto &[triple, cpu, features, abi, addressBits, isMovable, goal,
               hasHeap, isChecked, vectorBits, vectorRegisters, l1Bytes,
               l2Bytes, threads, polynomials, maxError] = target;
  os << triple << '|' << (cpu.empty() ? getHostIdentity() : cpu) << '|'
     << features << '|' << abi << '|' << addressBits << '|' << isMovable << '|'
     << int(goal) << '|' << hasHeap << '|' << isChecked << '|' << vectorBits
     << '|' << vectorRegisters << '|' << l1Bytes << '|' << l2Bytes << '|'
     << threads << '|' << polynomials << '|' << maxError;
}

std::string compile::describeOptions(const CompileOptions &options) {
  std::string text;
  raw_string_ostream os(text);
  os << getCompilerIdentity() << '|' << options.pipeline << '|'
     << options.identities << '|' << options.embedsBitcode << '|';
  describe(getRuleTarget(options), os);
  return text;
}
