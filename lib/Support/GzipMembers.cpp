//===- GzipMembers.cpp - The members of a gzipped file --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GzipMembers.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/PageArray.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

using namespace mlirprof;

/// zlib's counters have 32 bits.
static constexpr size_t kChunk = size_t(1) << 30;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

GzipMembers::~GzipMembers() {
  if (isStarted)
    inflateEnd(&stream);
}

llvm::Error GzipMembers::fail(const llvm::Twine &what,
                              const llvm::Twine &hint) const {
  return inputError(
      path + ": byte " +
          llvm::Twine(bytes.size() - rest.size() - stream.avail_in),
      what, hint);
}

/// Whether only zeros remain.
static bool isPadding(const z_stream &stream, llvm::StringRef rest) {
  llvm::StringRef now(reinterpret_cast<const char *>(stream.next_in),
                      stream.avail_in);
  llvm::StringRef zero("\0", 1);
  return now.ltrim(zero).empty() && rest.ltrim(zero).empty();
}

/// Provides zlib with input, or notes that everything is inflated.
llvm::Error GzipMembers::prepare() {
  // 16 + 15: gzip headers only, largest window.
  if (!isStarted && inflateInit2(&stream, 16 + 15) != Z_OK)
    return inputError(path, "zlib cannot start");
  isStarted = true;
  if (!stream.avail_in) {
    if (rest.empty())
      return fail("gzip data ends in the middle",
                  "The file is truncated; copy it again.");
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(rest.data()));
    stream.avail_in = uInt(std::min(rest.size(), kChunk));
    rest = rest.drop_front(stream.avail_in);
  }
  if (status != Z_STREAM_END)
    return llvm::Error::success();
  // Another member may follow, or zeros that pad the file.
  isPadded = *stream.next_in == 0 && isPadding(stream, rest);
  if (!isPadded)
    inflateReset(&stream);
  return llvm::Error::success();
}

llvm::Error GzipMembers::read(char *out, size_t room, size_t &count) {
  count = 0;
  while (count != room && !isDone()) {
    if (llvm::Error error = prepare())
      return error;
    if (isPadded)
      break;
    stream.next_out = reinterpret_cast<Bytef *>(out + count);
    stream.avail_out = uInt(std::min(room - count, kChunk));
    size_t before = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    count += before - stream.avail_out;
    total += before - stream.avail_out;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      return fail("broken gzip data" + (stream.msg
                                            ? ": " + llvm::Twine(stream.msg)
                                            : llvm::Twine()),
                  "The file is damaged; copy or record it again.");
    if (total > limit)
      return fail(
          "gzip data inflates to more than " + llvm::Twine(limit) +
              " bytes, far more than its size",
          "If it is valid, decompress it yourself and give the plain file; "
          "recordings may be given with a higher --max-inflation, too.");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Whole files
//===----------------------------------------------------------------------===//

namespace {

class PageBuffer : public llvm::MemoryBuffer {
public:
  PageBuffer(PageArray<char> taken, llvm::StringRef path)
      : bytes(std::move(taken)), name(path) {
    init(bytes.begin(), bytes.end(), /*RequiresNullTerminator=*/false);
  }
  llvm::StringRef getBufferIdentifier() const override { return name; }
  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }

private:
  PageArray<char> bytes;
  std::string name;
};

} // namespace

bool mlirprof::isGzip(llvm::StringRef bytes) {
  return bytes.starts_with("\x1f\x8b");
}

/// Initial guess of the inflated size of `bytes`: the size stored in the last
/// member, modulo 2^32, if it is within the range typical of traces. Larger
/// claims must first prove true.
static size_t guessInflatedSize(llvm::StringRef bytes, uint64_t limit) {
  constexpr uint64_t kUsualInflation = 32;
  uint64_t smallest = size_t(1) << 16;
  if (bytes.size() < 8)
    return smallest;
  uint64_t told = llvm::support::endian::read32le(bytes.end() - 4);
  return std::max(smallest,
                  std::min({told, bytes.size() * kUsualInflation, limit}) + 1);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlirprof::gunzip(llvm::StringRef bytes, llvm::StringRef path, uint64_t limit) {
  PageArray<char> out;
  out.reserve(guessInflatedSize(bytes, limit));
  GzipMembers members(bytes, path, limit);
  while (!members.isDone()) {
    if (out.size() == out.getCapacity())
      out.reserve(2 * out.size());
    size_t count;
    if (llvm::Error error =
            members.read(out.end(), out.getCapacity() - out.size(), count))
      return std::move(error);
    out.setSize(out.size() + count);
  }
  return std::make_unique<PageBuffer>(std::move(out), path);
}
