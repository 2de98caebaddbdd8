//===- ProfileWriter.cpp - Writing *.mlprof files -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "Proto.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

namespace {

/// Long lists are split into sections of about this size.
constexpr size_t kPieceSize = size_t(16) << 20;

class ContainerWriter {
public:
  ContainerWriter(const Profile &profile, llvm::raw_ostream &os)
      : profile(profile), proto(profile), os(os) {}

  llvm::Error write();

private:
  void writeFileHeader();
  llvm::Error writeModules();
  llvm::Error writeRuns();
  llvm::Error writePrograms();
  llvm::Error writeScopes();
  /// The blocks of all recordings, `size` elements each in `make(run, begin)`.
  template <typename Size, typename Make>
  llvm::Error writeBlocks(SectionType type, Size &&getSize, Make &&make);
  llvm::Error writeJobs();
  llvm::Error writeUnknown();
  void writeEnd();
  /// Writes `content` as a section, and clears it.
  llvm::Error writeSection(SectionType type, std::string &content,
                           Codec codec = Codec::Plain);
  llvm::Error writeRaw(uint32_t type, uint32_t codec, uint64_t contentLength,
                       llvm::StringRef payload);

  const Profile &profile;
  ProtoWriter proto;
  llvm::raw_ostream &os;
  /// File header and the checksums of all sections, for the end section.
  std::string chain;
  /// Counted as by readers, to stay below their limit.
  MemoryBudget inflation{kMinInflation};
  uint32_t sections = 0;
};

} // namespace

template <typename T>
static void append(std::string &out, T value) {
  char bytes[sizeof(T)];
  llvm::support::endian::write(bytes, value, llvm::endianness::little);
  out.append(bytes, sizeof(T));
}

static uint64_t hash(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes));
}

void ContainerWriter::writeFileHeader() {
  chain = kMagic.str();
  append<uint16_t>(chain, Profile::kMajor);
  append<uint16_t>(chain, profile.minor);
  os << chain;
}

llvm::Error ContainerWriter::writeRaw(uint32_t type, uint32_t codec,
                                      uint64_t contentLength,
                                      llvm::StringRef payload) {
  if (payload.size() >= kSectionLimit || contentLength >= kSectionLimit)
    return inputError("profile",
                      "section " + llvm::Twine(type) +
                          " would reach 2 GiB, the limit of the format",
                      "Record fewer steps or a smaller module.");
  std::string section;
  section.reserve(kSectionHeaderSize + payload.size() + kChecksumSize);
  append<uint32_t>(section, type);
  append<uint32_t>(section, codec);
  append<uint32_t>(section, uint32_t(payload.size()));
  append<uint32_t>(section, uint32_t(contentLength));
  section += payload;
  uint64_t checksum = hash(section);
  append<uint64_t>(section, checksum);
  append<uint64_t>(chain, checksum);
  ++sections;
  os << section;
  return llvm::Error::success();
}

llvm::Error ContainerWriter::writeSection(SectionType type,
                                          std::string &content, Codec codec) {
  std::string taken = std::move(content);
  content.clear();
  if (codec == Codec::Plain || taken.size() >= kSectionLimit)
    return writeRaw(uint32_t(type), uint32_t(Codec::Plain), taken.size(),
                    taken);
  llvm::SmallVector<char, 0> frame;
  zstdCompress(taken, frame);
  // Readers reject files that inflate too much. This budget only grows from
  // here.
  inflation.grow(frame.size());
  if (!inflation.charge(taken.size()))
    return writeRaw(uint32_t(type), uint32_t(Codec::Plain), taken.size(),
                    taken);
  return writeRaw(uint32_t(type), uint32_t(codec), taken.size(),
                  {frame.data(), frame.size()});
}

llvm::Error ContainerWriter::writeModules() {
  std::string content;
  for (uint32_t i = 0; i != profile.hloModules.size(); ++i) {
    proto.add(profile.hloModules[i], i, content);
    if (llvm::Error error = writeSection(SectionType::HloModule, content))
      return error;
  }
  for (uint32_t i = 0; i != profile.irModules.size(); ++i) {
    // The limit is checked here too because protobuf's own lengths have 32
    // bits.
    if (profile.irModules[i].bytecode.size() < kSectionLimit)
      proto.add(profile.irModules[i], i, content);
    else
      return writeRaw(uint32_t(SectionType::IrModule), 0, kSectionLimit, "");
    if (llvm::Error error = writeSection(SectionType::IrModule, content))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ContainerWriter::writeRuns() {
  std::string content;
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    proto.add(profile.runs[i], i, content);
    if (llvm::Error error = writeSection(SectionType::Run, content))
      return error;
  }
  uint32_t block = 0;
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    size_t events = profile.runs[i].kept.size();
    for (size_t begin = 0; begin < events; begin += kEventsPerBlock) {
      proto.add(makeEventBlock(profile.runs[i], i, begin), block++, content);
      if (llvm::Error error =
              writeSection(SectionType::Events, content, Codec::Zstd))
        return error;
    }
  }
  return llvm::Error::success();
}

/// After the runs, because fields are in order of their numbers.
llvm::Error ContainerWriter::writePrograms() {
  std::string content;
  for (uint32_t i = 0; i != profile.programs.size(); ++i) {
    proto.add(profile.programs[i], i, content);
    if (llvm::Error error =
            writeSection(SectionType::Program, content, Codec::Zstd))
      return error;
  }
  return llvm::Error::success();
}

template <typename Size, typename Make>
llvm::Error ContainerWriter::writeBlocks(SectionType type, Size &&getSize,
                                         Make &&make) {
  std::string content;
  uint32_t block = 0;
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    const scope::Recording *scopes = profile.runs[i].scopes.get();
    size_t size = scopes ? getSize(*scopes) : 0;
    for (size_t begin = 0; begin < size; begin += kEventsPerBlock) {
      proto.add(make(*scopes, i, begin), block++, content);
      if (llvm::Error error = writeSection(type, content, Codec::Zstd))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error ContainerWriter::writeScopes() {
  std::string content;
  uint32_t record = 0;
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    if (!profile.runs[i].scopes)
      continue;
    proto.add(makeScopeRecord(*profile.runs[i].scopes, i), record++, content);
    if (llvm::Error error =
            writeSection(SectionType::Scopes, content, Codec::Zstd))
      return error;
  }
  if (llvm::Error error = writeBlocks(
          SectionType::ScopeEvents,
          [](const scope::Recording &scopes) { return scopes.events.size(); },
          makeScopeBlock))
    return error;
  if (llvm::Error error = writeBlocks(
          SectionType::MemoryEvents,
          [](const scope::Recording &scopes) { return scopes.memory.size(); },
          makeMemoryBlock))
    return error;
  return writeBlocks(
      SectionType::ScopeCounts,
      [](const scope::Recording &scopes) { return scopes.counts.size(); },
      makeCountBlock);
}

llvm::Error ContainerWriter::writeJobs() {
  std::string content;
  uint32_t record = 0;
  for (uint32_t i = 0; i != profile.runs.size(); ++i) {
    if (!profile.runs[i].job)
      continue;
    proto.add(JobMessage{i, *profile.runs[i].job}, record++, content);
    if (llvm::Error error =
            writeSection(SectionType::Jobs, content, Codec::Zstd))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ContainerWriter::writeUnknown() {
  for (const UnknownSection &section : profile.unknownSections)
    if (llvm::Error error = writeRaw(section.type, section.codec,
                                     section.contentLength, section.payload))
      return error;
  return llvm::Error::success();
}

void ContainerWriter::writeEnd() {
  std::string payload;
  append<uint32_t>(payload, sections);
  append<uint64_t>(payload, hash(chain));
  llvm::cantFail(
      writeRaw(uint32_t(SectionType::End), 0, payload.size(), payload));
}

llvm::Error ContainerWriter::write() {
  writeFileHeader();
  std::string content;
  ProtoWriter::addHeader(profile.minor, content);
  proto.addUnknownFields(content);
  if (llvm::Error error = writeSection(SectionType::Header, content))
    return error;
  for (const std::string &string : profile.strings) {
    ProtoWriter::addString(string, content);
    if (content.size() >= kPieceSize || &string == &profile.strings.back())
      if (llvm::Error error = writeSection(SectionType::Strings, content))
        return error;
  }
  for (uint32_t i = 0; i != profile.opKeys.size(); ++i) {
    proto.add(profile.opKeys[i], i, content);
    if (content.size() >= kPieceSize || i + 1 == profile.opKeys.size())
      if (llvm::Error error = writeSection(SectionType::OpKeys, content))
        return error;
  }
  if (llvm::Error error = writeModules())
    return error;
  if (llvm::Error error = writeRuns())
    return error;
  if (llvm::Error error = writePrograms())
    return error;
  if (llvm::Error error = writeScopes())
    return error;
  if (llvm::Error error = writeJobs())
    return error;
  if (llvm::Error error = writeUnknown())
    return error;
  writeEnd();
  return llvm::Error::success();
}

llvm::Error profile::writeProfile(const Profile &profile,
                                  llvm::raw_ostream &os) {
  if (leavesOutEvents(profile))
    return inputError("profile", "its events were left out when it was read",
                      "Read it with its events to write it.");
  return ContainerWriter(profile, os).write();
}
