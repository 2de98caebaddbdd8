//===- AccessTest.cpp - Access to the service -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Server/Access.h"
#include "TestFolder.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::serve;
using namespace mlirprof::test;

namespace {

Access makeAccess(const ServeOptions &options) {
  auto access = Access::make(options);
  if (!access) {
    ADD_FAILURE() << llvm::toString(access.takeError());
    return llvm::cantFail(Access::make({}));
  }
  return std::move(*access);
}

TEST(Access, KnowsTheNamesOfThisMachine) {
  ServeOptions options;
  options.allowedHosts = {"profiles.example"};
  Access access = makeAccess(options);
  for (const char *host : {"localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:80",
                           "[::1]", "profiles.example", "Profiles.Example:80"})
    EXPECT_TRUE(access.allowsHost(host)) << host;
  // Names that someone else can make to point here, also after a look.
  for (const char *host :
       {"", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example",
        "127.evil", "10.0.0.1", "evil@localhost", "[::2]", "[", "::1"})
    EXPECT_FALSE(access.allowsHost(host)) << host;
}

TEST(Access, RequiresATokenForOtherMachines) {
  ServeOptions options;
  options.host = "0.0.0.0";
  auto access = Access::make(options);
  ASSERT_FALSE(bool(access));
  EXPECT_NE(llvm::toString(access.takeError()).find("--token-file"),
            std::string::npos);

  TestFolder folder;
  options.tokenFile = folder.join("token");
  folder.write(options.tokenFile, "short\n");
  access = Access::make(options);
  ASSERT_FALSE(bool(access));
  llvm::consumeError(access.takeError());
}

TEST(Access, ComparesWholeTokens) {
  TestFolder folder;
  ServeOptions options;
  options.tokenFile = folder.join("token");
  folder.write(options.tokenFile, "0123456789abcdef\nanother line\n");
  Access access = makeAccess(options);
  EXPECT_TRUE(access.allowsToken("Bearer 0123456789abcdef"));
  for (const char *token :
       {"", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
        "Bearer 0123456789abcdeg", "Bearer 0123456789abcdef\nanother line",
        "Basic 0123456789abcdef"})
    EXPECT_FALSE(access.allowsToken(token)) << token;
}

} // namespace
