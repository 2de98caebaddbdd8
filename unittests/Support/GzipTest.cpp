//===- GzipTest.cpp - Compressed input ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gzip.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/GzipInput.h"
#include "mlir-prof/Support/PageArray.h"
#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using mlirprof::test::gzip;

namespace {

std::string inflateAll(llvm::StringRef bytes) {
  auto buffer = gunzip(bytes, "f.gz");
  if (buffer)
    return (*buffer)->getBuffer().str();
  ADD_FAILURE() << llvm::toString(buffer.takeError());
  return "";
}

std::string gunzipError(llvm::StringRef bytes, uint64_t limit = 1 << 30) {
  auto buffer = gunzip(bytes, "f.gz", limit);
  EXPECT_FALSE(bool(buffer));
  return buffer ? "" : llvm::toString(buffer.takeError());
}

std::string makeText(size_t size) {
  std::string text;
  uint32_t state = 1;
  while (text.size() < size)
    text += char((state = state * 1664525 + 1013904223) >> 24);
  return text;
}

TEST(Gzip, InflatesAllMembers) {
  std::string a = makeText(100000), b = "second", empty;
  EXPECT_TRUE(isGzip(gzip(a)));
  EXPECT_FALSE(isGzip("text"));
  EXPECT_EQ(inflateAll(gzip(a)), a);
  EXPECT_EQ(inflateAll(gzip(empty)), "");
  EXPECT_EQ(inflateAll(gzip(a) + gzip(b)), a + b);
  EXPECT_EQ(inflateAll(gzip(empty) + gzip(a) + gzip(empty) + gzip(b)), a + b);
}

TEST(Gzip, IgnoresPadding) {
  EXPECT_EQ(inflateAll(gzip("text") + std::string(512, '\0')), "text");
}

TEST(Gzip, NoticesTruncationAtEveryByte) {
  std::string bytes = gzip(makeText(500));
  for (size_t size = 0; size != bytes.size(); ++size) {
    std::string error = gunzipError(llvm::StringRef(bytes).take_front(size));
    EXPECT_NE(error.find("ends in the middle"), std::string::npos) << error;
    EXPECT_NE(error.find("hint: "), std::string::npos);
  }
  // The second member too.
  std::string two = gzip("one") + bytes;
  EXPECT_NE(gunzipError(llvm::StringRef(two).drop_back(3)), "");
}

TEST(Gzip, NoticesDamage) {
  std::string good = gzip(makeText(500));
  for (size_t i : {size_t(2), good.size() / 2, good.size() - 6}) {
    std::string bytes = good;
    bytes[i] ^= 0x55;
    EXPECT_NE(gunzipError(bytes).find("broken gzip data"), std::string::npos);
  }
}

/// Untouched pages do not take memory.
TEST(Gzip, NamesTheByteInLargeFiles) {
  PageArray<char> bytes;
  constexpr size_t kLarge = (size_t(1) << 30) + 4096;
  bytes.reserve(kLarge);
  bytes.setSize(kLarge);
  std::string begin = gzip("text");
  begin[2] ^= 0x55;
  llvm::copy(begin, bytes.begin());
  std::string error = gunzipError(llvm::StringRef(bytes.begin(), kLarge));
  EXPECT_NE(error.find("f.gz: byte 4:"), std::string::npos) << error;
}

TEST(Gzip, StopsAtTheLimit) {
  std::string bomb = gzip(std::string(50 << 20, 'x'));
  EXPECT_LT(bomb.size(), 100000u);
  std::string error = gunzipError(bomb, 1 << 20);
  EXPECT_NE(error.find("more than 1048576 bytes"), std::string::npos);
  auto exact = gunzip(gzip(makeText(1000)), "f.gz", 1000);
  EXPECT_TRUE(bool(exact));
  EXPECT_NE(gunzipError(gzip(makeText(1001)), 1000), "");
}

TEST(Gzip, LimitsGrowWithTheFile) {
  EXPECT_EQ(getInflationLimit(0), uint64_t(512) << 20);
  EXPECT_EQ(getInflationLimit(4 << 20), uint64_t(512) << 20);
  EXPECT_EQ(getInflationLimit(8 << 20), uint64_t(1) << 30);
  EXPECT_EQ(getInflationLimit(8 << 20, 1000), uint64_t(8000) << 20);
  EXPECT_EQ(getInflationLimit(~uint64_t(0)), ~uint64_t(0));
}

//===----------------------------------------------------------------------===//
// Inflating meanwhile
//===----------------------------------------------------------------------===//

std::unique_ptr<GzipInput> openInflating(llvm::StringRef bytes,
                                         uint64_t limit = 1 << 30) {
  auto input = GzipInput::open(bytes, "f.gz", limit);
  EXPECT_TRUE(input);
  return input;
}

/// Reads everything, piece by piece, and releases it.
std::string readPieces(GzipInput &input) {
  constexpr size_t kPiece = 300000;
  std::string text;
  const char *at = input.begin();
  for (; at != input.end() || !input.isComplete(); input.release(at)) {
    input.require(at, kPiece);
    size_t size = std::min(kPiece, size_t(input.end() - at));
    text.append(at, size);
    at += size;
  }
  return text;
}

TEST(GzipInput, GivesAllPieces) {
  std::string a = makeText(7 << 20), b = makeText(3 << 20);
  std::string bytes = gzip(a) + gzip("") + gzip(b) + std::string(9, '\0');
  auto input = openInflating(bytes);
  const char *begin = input->begin();
  EXPECT_EQ(readPieces(*input), a + b);
  EXPECT_EQ(input->begin(), begin);
  EXPECT_EQ(input->getBytes().size(), a.size() + b.size());
  EXPECT_EQ(llvm::toString(input->finish()), "");
}

TEST(GzipInput, KeepsWhatWasNotGivenBack) {
  std::string text = makeText(5 << 20);
  std::string bytes = gzip(text);
  auto input = openInflating(bytes);
  input->require(input->begin(), 10);
  EXPECT_FALSE(input->isComplete());
  EXPECT_EQ(input->getBytes().take_front(10),
            llvm::StringRef(text).take_front(10));
  input->require(input->begin(), text.size() + 1);
  EXPECT_TRUE(input->isComplete());
  EXPECT_EQ(input->getBytes(), text);
  EXPECT_EQ(llvm::toString(input->finish()), "");
}

TEST(GzipInput, TellsWhatIsWrongAtTheEnd) {
  std::string text = makeText(5 << 20);
  std::string bytes = gzip(text);
  auto input = openInflating(llvm::StringRef(bytes).drop_back(1000));
  EXPECT_TRUE(llvm::StringRef(text).starts_with(readPieces(*input)));
  EXPECT_NE(llvm::toString(input->finish()).find("ends in the middle"),
            std::string::npos);
  bytes[bytes.size() - 6] ^= 1;
  input = openInflating(bytes);
  EXPECT_NE(llvm::toString(input->finish()).find("broken gzip data"),
            std::string::npos);
}

TEST(GzipInput, StopsAtTheLimit) {
  std::string bomb = gzip(std::string(50 << 20, 'x'));
  auto input = openInflating(bomb, 1 << 20);
  EXPECT_NE(llvm::toString(input->finish()).find("more than 1048576 bytes"),
            std::string::npos);
  EXPECT_LE(input->getBytes().size(), size_t(4) << 20);
  std::string exact = gzip(makeText(1 << 20));
  input = openInflating(exact, 1 << 20);
  EXPECT_EQ(llvm::toString(input->finish()), "");
  EXPECT_EQ(input->getBytes().size(), size_t(1) << 20);
}

TEST(Zstd, GivesBytesBack) {
  std::string text = makeText(1000) + std::string(100000, 'x');
  llvm::SmallVector<char, 0> frame, again;
  zstdCompress(text, frame);
  llvm::StringRef bytes(frame.data(), frame.size());
  EXPECT_LT(frame.size(), 2000u);
  EXPECT_FALSE(bool(zstdDecompress(bytes, text.size(), "here", again)));
  EXPECT_EQ(llvm::StringRef(again.data(), again.size()), text);
}

TEST(Zstd, NoticesDamageAndWrongSizes) {
  std::string text = makeText(1000);
  llvm::SmallVector<char, 0> frame;
  zstdCompress(text, frame);
  llvm::StringRef bytes(frame.data(), frame.size());
  auto error = [&](llvm::StringRef input, uint64_t size) {
    llvm::SmallVector<char, 0> out;
    return llvm::toString(zstdDecompress(input, size, "here", out));
  };
  EXPECT_NE(error(bytes, 999), "");
  EXPECT_NE(error(bytes, 1001), "");
  EXPECT_NE(error(bytes, ~uint64_t(0)).find("impossible size"),
            std::string::npos);
  EXPECT_NE(error(bytes.drop_back(), 1000), "");
  EXPECT_NE(error("garbage", 1000).find("here: "), std::string::npos);
}

} // namespace
