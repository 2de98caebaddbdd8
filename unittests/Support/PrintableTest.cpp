//===- PrintableTest.cpp - Names in printable form ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Printable.h"
#include "mlir-prof/Support/Error.h"
#include "gtest/gtest.h"

using namespace mlirprof;

TEST(Printable, ShowsWhatWouldSteerATerminal) {
  EXPECT_EQ(printable("m\u00e9lange \u4e16.mlir"), "m\u00e9lange \u4e16.mlir");
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\u{1b}[2Jb");
  EXPECT_EQ(printable("a\nb\x7f"), "a\\u{a}b\\u{7f}");
  // A C1 control character in UTF-8, and a byte that is not valid UTF-8.
  EXPECT_EQ(printable("\xc2\x9b"), "\\u{9b}");
  EXPECT_EQ(printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(printableLines("one\ttwo\n  three\r\n"),
            "one\\u{9}two\n  three\\u{d}\n");
  EXPECT_EQ(printableLines("x\nnote: a lie"), "x\n  note: a lie");
  EXPECT_EQ(printableLines(""), "");
}

TEST(Printable, ErrorsNameFilesInOneLine) {
  std::string text = llvm::toString(
      inputError("a\nerror: b\x1b[31m", "is damaged", "Copy it again."));
  EXPECT_EQ(text, "a\\u{a}error: b\\u{1b}[31m: is damaged\n"
                  "  hint: Copy it again.");
}
