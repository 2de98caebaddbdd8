//===- ProfileReader.cpp - Reading *.mlprof files -------------------------===//
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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

bool profile::isProfileFile(llvm::StringRef bytes) {
  // Compares without the line ends, so that a file whose line ends a text
  // transfer changed gets an error about that. The bytes that exist are
  // compared: files of the runtime begin with the same letters.
  if (!bytes.consume_front(kMagic.take_front(4)))
    return false;
  return bytes.empty() || bytes.front() == '\r' || bytes.front() == '\n';
}

namespace {

/// One section of a file.
struct Section {
  uint32_t type;
  uint32_t codec;
  uint32_t contentLength;
  llvm::StringRef payload;
  llvm::StringRef checksum;
  /// For errors: file, number, kind and first byte.
  std::string where;
};

class ContainerReader {
public:
  ContainerReader(llvm::StringRef bytes, llvm::StringRef where,
                  StoredEvents events)
      : bytes(bytes), where(where), events(events),
        inflation(kMinInflation, bytes.size()),
        memory(kMinMemory, bytes.size()), document(profile) {}

  llvm::Expected<Profile> read();

private:
  llvm::Error readFileHeader();
  llvm::Expected<Section> nextSection();
  llvm::Error readSection(const Section &section);
  llvm::Error readContent(const Section &section);
  llvm::Error checkEnd(const Section &section);

  llvm::StringRef bytes;
  llvm::StringRef where;
  StoredEvents events;
  size_t position = 0;
  uint32_t sections = 0;
  /// File header and the checksums of all sections so far.
  std::string chain;
  /// Limits on the inflated size of compressed sections, and on the memory for
  /// all.
  MemoryBudget inflation;
  MemoryBudget memory;
  Profile profile;
  Document<Profile> document;
  std::vector<UnknownSection> leftOut;
};

} // namespace

template <typename T>
static T get(llvm::StringRef bytes, size_t position) {
  return llvm::support::endian::read<T>(bytes.data() + position,
                                        llvm::endianness::little);
}

static uint64_t hash(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes));
}

static llvm::StringRef nameOf(uint32_t type) {
  static constexpr llvm::StringLiteral names[] = {
      "end",          "header",        "strings",     "op keys", "HLO module",
      "IR module",    "run",           "events",      "program", "scopes",
      "scope events", "memory events", "scope counts"};
  if (type == uint32_t(SectionType::Jobs))
    return "jobs";
  return isKnownSection(type) ? names[type] : "unknown";
}

static constexpr llvm::StringLiteral kDamaged =
    "The file is damaged; copy it again or import the recording again.";
static constexpr llvm::StringLiteral kTruncated =
    "The file is truncated; copy it again or import the recording again.";

llvm::Error ContainerReader::readFileHeader() {
  if (!isProfileFile(bytes))
    return inputError(where, "not a *.mlprof file",
                      "Name a file that 'mlir-prof import' wrote.");
  if (bytes.size() < kFileHeaderSize)
    return inputError(where, "ends in the file header", kTruncated);
  if (!bytes.starts_with(kMagic))
    return inputError(where, "a *.mlprof file that a text transfer changed",
                      "Copy it again in binary mode.");
  uint16_t major = get<uint16_t>(bytes, kMagic.size());
  profile.minor = get<uint16_t>(bytes, kMagic.size() + 2);
  if (major != Profile::kMajor)
    return inputError(where,
                      "version " + llvm::Twine(major) + "." +
                          llvm::Twine(profile.minor) +
                          " of the format; this program reads version " +
                          llvm::Twine(Profile::kMajor),
                      "Use a newer mlir-prof, or import the recording again.");
  chain = bytes.take_front(kFileHeaderSize).str();
  position = kFileHeaderSize;
  return llvm::Error::success();
}

llvm::Expected<Section> ContainerReader::nextSection() {
  size_t left = bytes.size() - position;
  auto place = [&](llvm::StringRef kind) {
    return (where + ": section " + llvm::Twine(sections) + kind + " at byte " +
            llvm::Twine(position))
        .str();
  };
  if (left < kSectionHeaderSize)
    return inputError(place(""),
                      left ? "ends in the section's header"
                           : "the end section is missing",
                      kTruncated);
  Section section;
  section.type = get<uint32_t>(bytes, position);
  section.codec = get<uint32_t>(bytes, position + 4);
  uint64_t length = get<uint32_t>(bytes, position + 8);
  section.contentLength = get<uint32_t>(bytes, position + 12);
  section.where = place((" (" + nameOf(section.type) + ")").str());
  if (length >= kSectionLimit || section.contentLength >= kSectionLimit)
    return inputError(section.where, "claims 2 GiB or more", kDamaged);
  uint64_t whole = kSectionHeaderSize + length + kChecksumSize;
  if (left < whole)
    return inputError(section.where,
                      "claims " + llvm::Twine(whole) + " bytes where " +
                          llvm::Twine(left) + " are left",
                      kTruncated);
  llvm::StringRef covered = bytes.substr(position, kSectionHeaderSize + length);
  section.payload = covered.drop_front(kSectionHeaderSize);
  section.checksum = bytes.substr(position + covered.size(), kChecksumSize);
  if (hash(covered) != get<uint64_t>(section.checksum, 0))
    return inputError(section.where, "its checksum does not match", kDamaged);
  position += whole;
  return section;
}

llvm::Error ContainerReader::checkEnd(const Section &section) {
  if (section.codec != 0 || section.payload.size() != 12 ||
      section.contentLength != 12)
    return inputError(section.where, "malformed", kDamaged);
  if (get<uint32_t>(section.payload, 0) != sections ||
      get<uint64_t>(section.payload, 4) != hash(chain))
    return inputError(section.where,
                      "the file's sections differ from those that were written",
                      kDamaged);
  if (position != bytes.size())
    return inputError(where + ": byte " + llvm::Twine(position),
                      "data follows the end of the profile",
                      "Give one file only; profiles cannot be concatenated.");
  return llvm::Error::success();
}

llvm::Error ContainerReader::readContent(const Section &section) {
  llvm::StringRef content = section.payload;
  llvm::SmallVector<char, 0> inflated;
  switch (Codec(section.codec)) {
  case Codec::Plain:
    if (section.contentLength != content.size())
      return inputError(section.where, "has two different lengths", kDamaged);
    break;
  case Codec::Zstd:
    if (!inflation.charge(section.contentLength))
      return inputError(section.where,
                        "inflates the file to more than " +
                            llvm::Twine(inflation.getLimit()) + " bytes",
                        kDamaged);
    if (llvm::Error error = zstdDecompress(content, section.contentLength,
                                           section.where, inflated))
      return error;
    content = {inflated.data(), inflated.size()};
    break;
  default:
    return inputError(section.where,
                      "unknown codec " + llvm::Twine(section.codec),
                      "Use a newer mlir-prof.");
  }
  memory.growInflated(content.size());
  std::string problem = readProto(content, document, memory);
  if (!problem.empty())
    return inputError(section.where, problem, kDamaged);
  return llvm::Error::success();
}

llvm::Error ContainerReader::readSection(const Section &section) {
  if (!isKnownSection(section.type)) {
    profile.unknownSections.push_back({section.type, section.codec,
                                       section.contentLength,
                                       section.payload.str()});
    return llvm::Error::success();
  }
  bool isLeftOut = events == StoredEvents::LeaveOut &&
                   section.type == uint32_t(SectionType::Events);
  if (!isLeftOut)
    return readContent(section);
  leftOut.push_back({section.type, section.codec, section.contentLength, ""});
  return llvm::Error::success();
}

llvm::Expected<Profile> ContainerReader::read() {
  if (llvm::Error error = readFileHeader())
    return std::move(error);
  for (;; ++sections) {
    llvm::Expected<Section> section = nextSection();
    if (!section)
      return section.takeError();
    if (section->type == uint32_t(SectionType::End)) {
      if (llvm::Error error = checkEnd(*section))
        return std::move(error);
      break;
    }
    chain += section->checksum;
    if (llvm::Error error = readSection(*section))
      return std::move(error);
  }
  if (llvm::Error error = completeProfile(document, memory, where))
    return std::move(error);
  llvm::append_range(profile.unknownSections, leftOut);
  return std::move(profile);
}

bool profile::leavesOutEvents(const Profile &profile) {
  return llvm::any_of(profile.unknownSections, [](const auto &section) {
    return section.type == uint32_t(SectionType::Events);
  });
}

bool profile::hasKeptEvents(const Profile &profile) {
  return leavesOutEvents(profile) ||
         llvm::any_of(profile.runs,
                      [](const Run &run) { return !run.kept.empty(); });
}

void profile::dropEvents(Profile &profile) {
  if (leavesOutEvents(profile) || !hasKeptEvents(profile))
    return;
  for (Run &run : profile.runs)
    run.kept = {};
  profile.unknownSections.push_back({uint32_t(SectionType::Events), 0, 0, ""});
}

llvm::Expected<Profile> profile::readProfile(llvm::StringRef bytes,
                                             llvm::StringRef where,
                                             StoredEvents events) {
  return ContainerReader(bytes, where, events).read();
}
