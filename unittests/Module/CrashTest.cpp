//===- CrashTest.cpp - Coming back from crashes of MLIR's -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Module/CrashPlace.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::module;
using llvm::StringRef;

namespace {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winfinite-recursion"
/// Recurses until the stack is full.
[[gnu::noinline]] uint64_t recurse(volatile uint64_t depth) {
  volatile char frame[1000];
  frame[depth % sizeof frame] = char(depth);
  return recurse(depth + 1) + uint64_t(frame[0]);
}
#pragma clang diagnostic pop

TEST(CrashGuard, ComesBackFromCrashes) {
  EXPECT_EQ(runGuarded([] {}), std::nullopt);
  EXPECT_EQ(runGuarded([] { raise(SIGSEGV); }), "SIGSEGV");
  EXPECT_EQ(runGuarded([] { raise(SIGILL); }), "SIGILL");
  EXPECT_EQ(runGuarded([] { raise(SIGBUS); }), "SIGBUS");
  EXPECT_EQ(runGuarded([] { std::abort(); }), "SIGABRT");
  // Once more: a signal that stayed blocked would end the program.
  EXPECT_EQ(runGuarded([] { std::abort(); }), "SIGABRT");
  EXPECT_EQ(runGuarded([] { llvm::report_fatal_error("why"); }), "why");
  EXPECT_EQ(runGuarded([] { llvm::report_fatal_error("end", false); }), "end");
  EXPECT_EQ(runGuarded([] { recurse(0); }), "SIGSEGV");
  // This program catches exceptions.
  volatile size_t tooMuch = size_t(1) << 60;
  EXPECT_EQ(runGuarded([&] { ::operator delete(::operator new(tooMuch)); }),
            "out of memory");
}

TEST(CrashGuard, Nests) {
  std::optional<std::string> inner;
  EXPECT_EQ(runGuarded([&] {
              inner = runGuarded([] { raise(SIGILL); });
              EXPECT_TRUE(isGuarded());
              raise(SIGSEGV);
            }),
            "SIGSEGV");
  EXPECT_EQ(inner, "SIGILL");
  EXPECT_FALSE(isGuarded());
}

/// Handlers belong to the process, crashes to the thread.
TEST(CrashGuard, WorksOnSeveralThreads) {
  std::atomic<unsigned> cameBack = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != 4; ++i)
    threads.emplace_back([&] {
      for (unsigned round = 0; round != 100; ++round)
        cameBack += runGuarded([] { raise(SIGSEGV); }) == "SIGSEGV";
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(cameBack, 400u);
}

TEST(CrashGuard, GivesHandlersBack) {
  struct sigaction before, after;
  sigaction(SIGSEGV, nullptr, &before);
  runGuarded([] { raise(SIGSEGV); });
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  EXPECT_EQ(before.sa_flags, after.sa_flags);
}

TEST(CrashPlace, IsTheShortestTextThatCrashes) {
  auto find = [](StringRef text) {
    return findCrashPlace(
        text, [](StringRef begin) { return begin.contains("boom"); });
  };
  CrashPlace place = find("module {\n  %0 = a.one {x = affine.none}\n"
                          "  %1 = \"b.two\"() {y = boom, z}\n  c.three\n}\n");
  EXPECT_EQ(place.place, ":3:26");
  EXPECT_EQ(place.op, "b.two");
  EXPECT_EQ(find("c.three boom").op, "c.three");
  EXPECT_EQ(find("boom").op, "");
  EXPECT_EQ(find("boom").place, ":1:4");
  EXPECT_EQ(find("sound").place, "");
}

std::string readTextError(StringRef text, CrashRule rule) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  prepareContext(context);
  auto root = parseModule(llvm::MemoryBuffer::getMemBufferCopy(text, "m.mlir"),
                          context, rule);
  return root ? "" : llvm::toString(root.takeError());
}

/// Custom parsers of MLIR 22 that trust the kind of an attribute.
TEST(CrashingModules, AreErrorsThatNameTheOp) {
  constexpr StringRef kSound =
      "func.func @f(%x: tensor<2x3xf32>, %e: tensor<3x2xf32>) {\n"
      "  %t = linalg.transpose ins(%x : tensor<2x3xf32>) "
      "outs(%e : tensor<3x2xf32>) permutation = [1, 0]\n"
      "  return\n}\n";
  std::string transpose = kSound.str(), generic;
  transpose.replace(transpose.find("[1, 0]"), 6, "[1, x]");
  generic = "func.func @f(%x: tensor<2xf32>) {\n"
            "  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],"
            " iterator_types = [5]} outs(%x : tensor<2xf32>) {\n"
            "  ^bb0(%o: f32):\n    linalg.yield %o : f32\n"
            "  } -> tensor<2xf32>\n  return\n}\n";
  for (CrashRule rule : {CrashRule::ComeBack, CrashRule::ChildFirst}) {
    EXPECT_EQ(readTextError(kSound, rule), "");
    for (auto [text, op] :
         {std::pair<StringRef, StringRef>(transpose, "linalg.transpose"),
          {generic, "linalg.generic"}}) {
      std::string error = readTextError(text, rule);
      EXPECT_TRUE(StringRef(error).contains("m.mlir:2:")) << error;
      EXPECT_TRUE(StringRef(error).contains("crashes on '" + op.str() + "'"))
          << error;
      EXPECT_TRUE(StringRef(error).contains("hint: ")) << error;
    }
  }
}

} // namespace
