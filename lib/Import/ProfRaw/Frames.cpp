//===- Frames.cpp - The runtime's file in a program's output --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

using namespace mlirprof;
using namespace mlirprof::importer;

/// The begin of each line with a piece of a file (prof_raw.h).
static constexpr llvm::StringLiteral kBegin = "~prof ";

namespace {
/// Joins the pieces of a file. A piece at byte 0 begins a new one.
class FrameReader {
public:
  explicit FrameReader(llvm::StringRef where) : where(where) {}

  /// `frame` is a line after kBegin.
  void read(llvm::StringRef frame, uint64_t line);
  llvm::Expected<std::string> finish();

private:
  void fail(const llvm::Twine &what);
  void readPiece(uint32_t offset, llvm::StringRef digits, uint32_t checksum);
  void readEnd(uint32_t size, uint32_t checksum);

  llvm::StringRef where;
  uint64_t line = 0;
  std::string bytes;
  bool isComplete = false;
  /// The first problem of the current file.
  std::string problem;
};
} // namespace

void FrameReader::fail(const llvm::Twine &what) {
  if (problem.empty())
    problem = ("line " + llvm::Twine(line) + ": " + what).str();
}

void FrameReader::readPiece(uint32_t offset, llvm::StringRef digits,
                            uint32_t checksum) {
  if (offset == 0) {
    bytes.clear();
    problem.clear();
    isComplete = false;
  }
  std::string piece;
  if (digits.size() % 2 != 0 || digits.size() > 2 * PROF_RAW_FRAME ||
      !llvm::tryGetFromHex(digits, piece))
    return fail("the piece at byte " + llvm::Twine(offset) +
                " is not of whole bytes in hexadecimal");
  char place[sizeof offset];
  llvm::support::endian::write32le(place, offset);
  uint32_t sum = llvm::crc32(
      llvm::crc32(llvm::arrayRefFromStringRef({place, sizeof place})),
      llvm::arrayRefFromStringRef(piece));
  if (sum != checksum)
    return fail("the checksum of the piece at byte " + llvm::Twine(offset) +
                " does not match");
  if (offset != bytes.size())
    return fail("the piece at byte " + llvm::Twine(offset) + " follows byte " +
                llvm::Twine(bytes.size()) + ": others are missing");
  bytes += piece;
}

void FrameReader::readEnd(uint32_t size, uint32_t checksum) {
  if (size != bytes.size())
    return fail("the file has " + llvm::Twine(size) +
                " bytes, and its pieces " + llvm::Twine(bytes.size()));
  if (checksum != llvm::crc32(llvm::arrayRefFromStringRef(bytes)))
    return fail("the checksum of the file does not match");
  isComplete = true;
}

void FrameReader::read(llvm::StringRef frame, uint64_t at) {
  line = at;
  if (frame.starts_with("memory"))
    return fail("the program does not have enough memory for the file; "
                "prof_rt_use_memory gives it more");
  constexpr size_t kDigits = 8;
  auto getNumber = [&](llvm::StringRef text, uint32_t &number) {
    return text.size() == kDigits && !text.getAsInteger(16, number);
  };
  auto [first, rest] = frame.split(' ');
  auto [second, last] = rest.split(' ');
  uint32_t offset, checksum;
  if (!getNumber(first, offset) ||
      !getNumber(last.take_front(kDigits), checksum))
    return fail("'" + frame.take_front(kDigits).trim() +
                "...' is not a whole piece of a file");
  if (second == "end")
    readEnd(offset, checksum);
  else
    readPiece(offset, second, checksum);
}

llvm::Expected<std::string> FrameReader::finish() {
  constexpr llvm::StringLiteral kHint =
      "Write the file again, and see whether the line loses bytes.";
  if (!problem.empty())
    return inputError(where, problem, kHint);
  if (!isComplete)
    return inputError(where,
                      "the file of measurements ends after byte " +
                          llvm::Twine(bytes.size()) + ", without its last line",
                      kHint);
  return std::move(bytes);
}

bool importer::endsProfRaw(llvm::StringRef output) {
  size_t end = output.rfind(" end ");
  size_t begin =
      end == llvm::StringRef::npos ? end : output.take_front(end).rfind(kBegin);
  // A number, the word, and another number with the end of its line.
  constexpr size_t kBefore = kBegin.size() + 8, kAfter = 5 + 8;
  return begin != llvm::StringRef::npos && end - begin == kBefore &&
         output.substr(end).size() > kAfter;
}

/// The file in the bytes of a memory.
static llvm::Expected<std::string> findBytes(llvm::StringRef output,
                                             llvm::StringRef where) {
  char magic[8];
  llvm::support::endian::write64le(magic, PROF_RAW_MAGIC);
  size_t at = output.find({magic, sizeof magic});
  if (at == llvm::StringRef::npos)
    return inputError(where, "does not have measurements of the runtime",
                      "A program prints them by prof_rt_print.");
  llvm::StringRef found = output.drop_front(at);
  constexpr size_t kSizeAt = offsetof(prof_raw_header, size);
  if (found.size() < sizeof(prof_raw_header) ||
      found.size() < llvm::support::endian::read64le(found.data() + kSizeAt))
    return inputError(where, "ends within the file of measurements at byte " +
                                 llvm::Twine(at));
  return found
      .take_front(llvm::support::endian::read64le(found.data() + kSizeAt))
      .str();
}

llvm::Expected<std::string> importer::findProfRaw(llvm::StringRef output,
                                                  llvm::StringRef where) {
  FrameReader reader(where);
  bool hasFrames = false;
  uint64_t line = 0;
  for (llvm::StringRef left = output; !left.empty();) {
    llvm::StringRef text;
    std::tie(text, left) = left.split('\n');
    ++line;
    size_t begin = text.rfind(kBegin);
    if (begin == llvm::StringRef::npos)
      continue;
    hasFrames = true;
    reader.read(text.drop_front(begin + kBegin.size()), line);
  }
  return hasFrames ? reader.finish() : findBytes(output, where);
}
