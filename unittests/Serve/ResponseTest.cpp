//===- ResponseTest.cpp - Answers as HTTP ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Server/Response.h"

#include "gtest/gtest.h"

#include <fcntl.h>

using namespace mlirprof;
using namespace mlirprof::serve;

namespace {

/// The response to a request with one header.
httplib::Response respond(std::string body, std::string name = "",
                          std::string value = "", std::string method = "GET",
                          unsigned status = 200) {
  std::atomic<bool> isStopping = false;
  Connection connection(::open("/dev/null", O_RDWR), isStopping);
  httplib::Request request;
  request.method = std::move(method);
  if (name == "Accept-Encoding")
    connection.acceptedEncodings = value;
  else if (!name.empty())
    request.headers.emplace(name, value);
  Answer answer;
  answer.body = std::move(body);
  answer.status = status;
  httplib::Response response;
  show(request, std::move(answer), connection, response);
  return response;
}

std::string getHeader(const httplib::Response &response,
                      const std::string &name) {
  auto found = response.headers.find(name);
  return found == response.headers.end() ? "" : found->second;
}

TEST(Response, TagsContents) {
  std::string tag = getHeader(respond("{\"a\":1}"), "ETag");
  EXPECT_EQ(tag.front(), '"');
  EXPECT_EQ(tag.back(), '"');
  EXPECT_EQ(getHeader(respond("{\"a\":1}"), "ETag"), tag);
  EXPECT_NE(getHeader(respond("{\"a\":2}"), "ETag"), tag);
  // A later request must not take an error, or what a change answered.
  EXPECT_EQ(getHeader(respond("{}", "", "", "GET", 404), "ETag"), "");
  EXPECT_EQ(getHeader(respond("{}", "", "", "POST"), "ETag"), "");
}

TEST(Response, IsEmptyForKnownContents) {
  std::string tag = getHeader(respond("known"), "ETag");
  for (const std::string &known : {tag, "\"other\", " + tag, "W/" + tag}) {
    httplib::Response response = respond("known", "If-None-Match", known);
    EXPECT_EQ(response.status, 304) << known;
    EXPECT_EQ(response.body, "") << known;
    EXPECT_EQ(getHeader(response, "ETag"), tag) << known;
  }
  for (const char *other : {"\"other\"", "", "known"}) {
    httplib::Response response = respond("known", "If-None-Match", other);
    EXPECT_EQ(response.status, 200) << other;
    EXPECT_EQ(response.body, "known") << other;
  }
  EXPECT_EQ(respond("known", "If-None-Match", tag, "POST").status, 200);
}

TEST(Response, IsWholeForRanges) {
  // Parts of answers that are made anew may not fit to each other.
  httplib::Response response = respond("0123456789", "Range", "bytes=2-4");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "0123456789");
  EXPECT_EQ(getHeader(response, "Content-Range"), "");
  EXPECT_EQ(getHeader(response, "Accept-Ranges"), "");
}

TEST(Response, CompressesForThoseWhoAcceptIt) {
  std::string large(100000, 'x');
  httplib::Response plain = respond(large);
  EXPECT_EQ(plain.body, large);
  EXPECT_EQ(getHeader(plain, "Content-Encoding"), "");
  EXPECT_EQ(getHeader(plain, "Vary"), "Accept-Encoding");
  httplib::Response packed = respond(large, "Accept-Encoding", "br, gzip");
  EXPECT_EQ(getHeader(packed, "Content-Encoding"), "gzip");
  EXPECT_LT(packed.body.size(), 1000u);
  // Not worth it.
  EXPECT_EQ(respond("small", "Accept-Encoding", "gzip").body, "small");
}

TEST(Response, KeepsBrowsersFromRunningIt) {
  httplib::Response response = respond("<script>");
  EXPECT_EQ(getHeader(response, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(getHeader(response, "Content-Security-Policy"),
            "default-src 'none'");
  EXPECT_EQ(getHeader(response, "Cache-Control"), "private, no-cache");
}

} // namespace
