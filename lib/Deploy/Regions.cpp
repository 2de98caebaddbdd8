//===- Regions.cpp - Memory protection of deployed models -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "HeaderChecks.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

std::optional<unsigned>
deploy::getProtectionVersion(const codegen::TargetModel &target) {
  constexpr unsigned kFirst = 7, kRanges = 8;
  Triple triple(target.triple);
  StringRef arch = triple.getArchName();
  if (!codegen::isBareMetal(target) ||
      ARM::parseArchProfile(arch) != ARM::ProfileKind::M)
    return std::nullopt;
  // Armv6-M has the form of Armv7-M.
  return ARM::parseArchVersion(arch) >= kRanges ? kRanges : kFirst;
}

/// A region that contains `bytes` bytes. One of PMSAv7 has eight parts, of
/// which the last ones may be off, and a power of two as its size and
/// alignment; one of PMSAv8 has any number of units.
static ProtectedRegion makeRegion(StringRef name, uint64_t bytes,
                                  unsigned version) {
  constexpr uint64_t kUnit = 32, kLeast = 256, kParts = 8;
  if (version >= 8)
    return {name, alignTo(bytes, kUnit), kUnit};
  uint64_t size = std::max(kLeast, PowerOf2Ceil(bytes));
  return {name, alignTo(bytes, size / kParts), size};
}

namespace {
/// Bytes of sections in any order.
struct SectionBytes {
  SmallVector<uint64_t> sizes;
  uint64_t alignment = 1;

  /// The most that they take together.
  uint64_t getMost() const {
    uint64_t bytes = 0;
    for (uint64_t size : sizes)
      bytes += alignTo(size, alignment);
    return bytes;
  }
};
} // namespace

/// Adds the sections of `part` that are code and that are constants.
static Error addSections(const PackageObject &part, SectionBytes &code,
                         SectionBytes &constants) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(part.object, part.name));
  if (!file)
    return file.takeError();
  for (object::ELFSectionRef section : (*file)->sections()) {
    uint64_t flags = section.getFlags();
    bool isConstant = (flags & ELF::SHF_ALLOC) && !(flags & ELF::SHF_WRITE) &&
                      section.getType() == ELF::SHT_PROGBITS;
    if (!isConstant || section.getSize() == 0)
      continue;
    SectionBytes &bytes = flags & ELF::SHF_EXECINSTR ? code : constants;
    bytes.sizes.push_back(section.getSize());
    bytes.alignment = std::max(bytes.alignment, section.getAlignment().value());
  }
  return Error::success();
}

Error deploy::setRegions(DeployedModel &model) {
  std::optional<unsigned> version = getProtectionVersion(model.target);
  if (!version)
    return Error::success();
  SectionBytes code, constants;
  for (const PackageObject &part : model.objects)
    if (Error error = addSections(part, code, constants))
      return error;
  auto add = [&](StringRef name, uint64_t bytes, bool isExecuted,
                 bool isWritten) {
    if (bytes == 0)
      return;
    ProtectedRegion region = makeRegion(name, bytes, *version);
    region.isExecuted = isExecuted;
    region.isWritten = isWritten;
    if (isWritten)
      region.alignment = std::max<uint64_t>(region.alignment, kArenaAlignment);
    model.regions.push_back(region);
  };
  add("code", code.getMost(), true, false);
  add("constants", constants.getMost(), false, false);
  add("state", model.firstState.size(), false, true);
  add("arena", model.arenaBytes, false, true);
  return Error::success();
}

std::string deploy::declareRegions(const DeployedModel &model) {
  std::string text, upper = StringRef(model.name).upper();
  raw_string_ostream os(text);
  if (model.regions.empty())
    return text;
  os << formatv("/* Regions for the unit for memory protection (PMSAv{0}), "
                "which prof_mpu.h sets up.\n   {1}.ld has the same numbers for "
                "scripts of linkers. */\n",
                *getProtectionVersion(model.target), model.name);
  for (const ProtectedRegion &region : model.regions)
    os << formatv("#define {0}_{1}_REGION_BYTES {2}\n"
                  "#define {0}_{1}_REGION_ALIGNMENT {3}\n",
                  upper, region.name.upper(), region.bytes, region.alignment);
  os << '\n';
  return text;
}

std::string deploy::writeRegionScript(const DeployedModel &model) {
  std::string text, upper = StringRef(model.name).upper();
  raw_string_ostream os(text);
  os << formatv("/* {0}.ld - regions of a model for {1}, made by mlir-prof. "
                "*/\n",
                model.name, model.targetName);
  for (const ProtectedRegion &region : model.regions)
    os << formatv("{0}_{1}_REGION_BYTES = {2};\n"
                  "{0}_{1}_REGION_ALIGNMENT = {3};\n",
                  upper, region.name.upper(), region.bytes, region.alignment);
  return text;
}
