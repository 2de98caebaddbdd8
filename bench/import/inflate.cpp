//===- inflate.cpp - zlib alone on a gzip file ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The baseline for reading a compressed trace: zlib inflates the file, which is
// in memory, into one buffer of 256 KiB, whose content is ignored. Prints the
// seconds without loading the file.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>
#include <zlib.h>

int main(int argc, char **argv) {
  std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<char> out(size_t(1) << 18);
  if (bytes.empty())
    return std::fprintf(stderr, "error: needs a file\n"), 1;
  auto begin = std::chrono::steady_clock::now();
  z_stream stream = {};
  inflateInit2(&stream, 15 + 16);
  stream.next_in = reinterpret_cast<Bytef *>(bytes.data());
  stream.avail_in = uInt(bytes.size());
  size_t size = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = uInt(out.size());
    status = inflate(&stream, Z_NO_FLUSH);
    size += out.size() - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END)
    return std::fprintf(stderr, "error: damaged\n"), 1;
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  std::printf("{\"seconds\": %.6f, \"bytes\": %zu}\n", seconds.count(), size);
  return 0;
}
