//===- RequestTest.cpp - Requests of the API ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Api/Api.h"
#include "Api/Sessions.h"
#include "TestFolder.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::serve;
using namespace mlirprof::test;

namespace {

TEST(Request, DecodesEscapes) {
  EXPECT_EQ(decodeUrl("a%2Fb%20c+d", false), "a/b c+d");
  EXPECT_EQ(decodeUrl("a+b", true), "a b");
  for (const char *text : {"%", "%2", "%zz", "%00", "a%"})
    EXPECT_FALSE(decodeUrl(text, true)) << text;
}

TEST(Request, SplitsQueries) {
  auto fields = parseQuery("a=1&b=x%26y&a=2&c");
  ASSERT_TRUE(fields);
  EXPECT_EQ(*fields, (Fields{{"a", "1"}, {"b", "x&y"}, {"a", "2"}, {"c", ""}}));
  EXPECT_FALSE(parseQuery("a=%"));
}

class ApiTest : public testing::Test {
protected:
  ApiTest()
      : store(llvm::cantFail(Store::open(folder.getPath()))),
        sessions(*store, 1 << 20), api{*store, sessions, options} {}

  /// The status and the code of the answer to a GET.
  std::pair<unsigned, std::string> get(llvm::StringRef target) {
    auto [path, query] = target.split('?');
    Request request;
    request.method = "GET";
    request.path = path.str();
    request.parameters = parseQuery(query).value_or(Fields());
    return getCode(answer(api, std::move(request)));
  }
  std::pair<unsigned, std::string>
  send(llvm::StringRef method, llvm::StringRef path, std::string body) {
    Request request;
    request.method = method.str();
    request.path = path.str();
    request.body = std::move(body);
    return getCode(answer(api, std::move(request)));
  }

  TestFolder folder;
  ServeOptions options;
  std::unique_ptr<Store> store;
  SessionCache sessions;
  Api api;

private:
  static std::pair<unsigned, std::string> getCode(const Answer &answer) {
    auto value = llvm::json::parse(answer.body);
    if (!value) {
      llvm::consumeError(value.takeError());
      return {answer.status, "not JSON"};
    }
    const llvm::json::Object *object = value->getAsObject();
    return {answer.status,
            object ? object->getString("code").value_or("").str() : ""};
  }
};

using Code = std::pair<unsigned, std::string>;

TEST_F(ApiTest, ChecksParameters) {
  EXPECT_EQ(get("/health"), Code(200, ""));
  EXPECT_EQ(get("/profiles?limit=1&sort=-name"), Code(200, ""));
  EXPECT_EQ(get("/profiles?unknown=1"), Code(400, "bad-parameter"));
  for (const char *limit :
       {"-1", "x", "", "99999999999999999999", "1e3", "1000001"})
    EXPECT_EQ(get("/profiles?limit=" + std::string(limit)),
              Code(400, "bad-parameter"))
        << limit;
  EXPECT_EQ(get("/profiles?limit=1&limit=2"), Code(400, "bad-parameter"));
}

TEST_F(ApiTest, RefusesUnknownPlaces) {
  EXPECT_EQ(get("/nothing").first, 404u);
  EXPECT_EQ(get("/profiles/none"), Code(404, "no-profile"));
  for (const char *path :
       {"/profiles/..%2fstore.sqlite", "/profiles/%00", "/profiles/%zz",
        "/profiles//timeline", "", "health"})
    EXPECT_GE(get(path).first, 400u) << path;
  EXPECT_EQ(send("PUT", "/profiles", "").first, 405u);
}

TEST_F(ApiTest, LimitsBodies) {
  const std::string path = "/profiles/none/query";
  std::string deep(100000, '[');
  EXPECT_EQ(send("POST", path, deep).first, 400u);
  // Brackets in texts are none.
  EXPECT_EQ(send("POST", path,
                 "{\"a\":\"" + std::string(100, ']') + "\",\"b\":" + deep)
                .first,
            400u);
  for (const char *body : {"", "[]", "null", "{", "\"a\""})
    EXPECT_EQ(send("POST", path, body), Code(400, "bad-body")) << body;
}

} // namespace
