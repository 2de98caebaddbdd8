//===- Response.cpp - Answers as HTTP -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Response.h"
#include "mlir-prof/Support/File.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

using namespace mlirprof;
using namespace mlirprof::serve;

/// Compresses by zlib; empty if that fails.
static std::string compress(const std::string &text) {
  z_stream stream = {};
  // 16: with the header of gzip.
  if (deflateInit2(&stream, 3, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return "";
  std::string out(deflateBound(&stream, uLong(text.size())), 0);
  stream.next_in = (Bytef *)text.data();
  stream.avail_in = uInt(text.size());
  stream.next_out = (Bytef *)out.data();
  stream.avail_out = uInt(out.size());
  bool isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(isDone ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

/// Sends a file in pieces.
static void sendFile(const std::string &path, Connection &connection,
                     httplib::Response &response) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  off_t size = descriptor < 0 ? -1 : ::lseek(descriptor, 0, SEEK_END);
  if (size < 0) {
    response.status = 404;
    return;
  }
  response.set_content_provider(
      size_t(size), "application/octet-stream",
      [descriptor, &connection](size_t offset, size_t length,
                                httplib::DataSink &sink) {
        char buffer[65536];
        ssize_t count =
            ::pread(descriptor, buffer, std::min(length, sizeof(buffer)),
                    off_t(offset));
        // Each piece may take its own time.
        connection.limit(0, kBodySeconds);
        return count > 0 && sink.write(buffer, size_t(count));
      },
      [descriptor](bool) { ::close(descriptor); });
}

void serve::show(const httplib::Request &request, Answer answer,
                 Connection &connection, httplib::Response &response) {
  response.status = int(answer.status);
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cache-Control", "private, no-cache");
  if (answer.type == "application/json")
    response.set_header("Content-Security-Policy", "default-src 'none'");
  if (!answer.fileName.empty())
    response.set_header("Content-Disposition",
                        "attachment; filename=\"" + answer.fileName + "\"");
  if (!answer.file.empty())
    return sendFile(answer.file, connection, response);
  if (request.method == "GET" && answer.status == 200) {
    std::string tag = "\"" + contentHash(answer.body) + "\"";
    response.set_header("ETag", tag);
    response.set_header("Vary", "Accept-Encoding");
    if (request.get_header_value("If-None-Match").find(tag) !=
        std::string::npos) {
      response.status = 304;
      return;
    }
  }
  constexpr size_t kWorthIt = 1400;
  if (answer.body.size() >= kWorthIt &&
      connection.acceptedEncodings.find("gzip") != std::string::npos)
    if (std::string small = compress(answer.body); !small.empty()) {
      answer.body = std::move(small);
      response.set_header("Content-Encoding", "gzip");
    }
  response.set_content(std::move(answer.body), answer.type);
}
