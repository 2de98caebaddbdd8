//===- KeyTextTest.cpp - Shapes and frames as text ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/InputShapes.h"
#include "mlir-prof/Profile/SourcePosition.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;

using Sizes = std::vector<std::vector<int64_t>>;

TEST(InputShapes, TellTensorsScalarsAndLists) {
  InputShapes shapes = InputShapes::parse("[[256,512],[],[[2,3],[4]],[-1]]");
  ASSERT_EQ(shapes.getInputs().size(), 4u);
  EXPECT_EQ(shapes.getInputs()[0].sizes, (std::vector<int64_t>{256, 512}));
  EXPECT_TRUE(shapes.getInputs()[1].sizes.empty());
  ASSERT_EQ(shapes.getInputs()[2].elements.size(), 2u);
  EXPECT_EQ(shapes.getInputs()[2].elements[1].sizes, std::vector<int64_t>{4});
  EXPECT_EQ(shapes.getTensors(), (Sizes{{256, 512}, {-1}}));
  EXPECT_EQ(shapes.getTensors(2), (Sizes{{256, 512}}));
  EXPECT_EQ(InputShapes({{2, 3}, {}}).print(), "[[2,3],[]]");
}

TEST(InputShapes, AnOpWithoutInputsIsNotOneOfWhichNothingIsKnown) {
  EXPECT_TRUE(InputShapes::parse("").empty());
  EXPECT_FALSE(InputShapes::parse("[]").empty());
  EXPECT_FALSE(InputShapes::parse("") == InputShapes::parse("[]"));
}

TEST(InputShapes, AnyTextComesBackAsItWas) {
  std::string deep(100000, '[');
  for (llvm::StringRef text :
       {"", "[]", "[[]]", "[[1,2],[[3],[]]]", "[[[[5]]]]", "[[01]]", "[[+1]]",
        "[[1, 2]]", "[[1,2]", "[[1,2]]x", "[1]", "[[9223372036854775808]]",
        "[[1,[2]]]", "null", "[,]", "[[1,]]", deep.c_str()}) {
    InputShapes shapes = InputShapes::parse(text);
    EXPECT_EQ(shapes.print(), text);
    EXPECT_EQ(shapes.empty(), text.empty());
  }
  EXPECT_TRUE(InputShapes::parse("[[1, 2]]").getInputs().empty());
  EXPECT_TRUE(InputShapes::parse("[[1,[2]]]").getInputs().empty());
}

TEST(SourcePosition, FramesAreReadAsFrameworksPrintThem) {
  SourcePosition frame = parseFrame("a (b)/models.py(21): forward(x): y");
  EXPECT_EQ(frame.file, "a (b)/models.py");
  EXPECT_EQ(frame.line, 21u);
  EXPECT_EQ(frame.column, 0u);
  EXPECT_EQ(frame.function, "forward(x): y");
  frame = parseFrame("dir/model.mlir(12:5): main");
  EXPECT_EQ(frame.file, "dir/model.mlir");
  EXPECT_EQ(frame.line, 12u);
  EXPECT_EQ(frame.column, 5u);
  EXPECT_EQ(parseFrame("x.h(7)"), (SourcePosition{"x.h", 7, 0, ""}));
  EXPECT_EQ(parseFrame("x.h(7): "), (SourcePosition{"x.h", 7, 0, ""}));
}

TEST(SourcePosition, AnyOtherTextIsAFunction) {
  for (llvm::StringRef text :
       {"", "main", "<built-in method run of object>", "x.h()", "x.h(-1): f",
        "(3): f", "x.h(07): f", "x.h(4294967296): f", "x.h(1:0): f", "): "}) {
    SourcePosition frame = parseFrame(text);
    EXPECT_EQ(frame.file, "") << text.str();
    EXPECT_EQ(frame.function, text);
    EXPECT_EQ(printFrame(frame), text);
  }
}
