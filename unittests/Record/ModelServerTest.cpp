//===- ModelServerTest.cpp - Tests of servers of models -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/ModelServer.h"
#include "TestModel.h"
#include "gtest/gtest.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

namespace {
class ModelServerTest : public ::testing::Test {
protected:
  using Build = llvm::function_ref<llvm::Expected<CompiledModel>()>;

  ModelServerTest() : context(makeContext()) {
    options.buildSeconds = 60;
    options.runSeconds = 60;
  }

  /// Tests do not leave processes behind.
  ~ModelServerTest() override {
    server.reset();
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  }

  std::unique_ptr<ModelServer> start(llvm::StringRef text,
                                     const Signature &signature,
                                     std::vector<Arguments> requests) {
    auto started = ModelServer::start(
        [&] { return compileText(*context, text, signature); }, requests,
        options);
    if (started)
      return std::move(*started);
    ADD_FAILURE() << llvm::toString(started.takeError());
    return nullptr;
  }

  std::string startError(Build build) {
    auto started = ModelServer::start(build, {Arguments()}, options);
    return started ? "" : llvm::toString(started.takeError());
  }

  std::string runError(uint64_t iterations = 1) {
    auto seconds = server->run(iterations);
    return seconds ? "" : llvm::toString(seconds.takeError());
  }

  std::unique_ptr<mlir::MLIRContext> context;
  ServerOptions options;
  std::unique_ptr<ModelServer> server;
};
} // namespace

static llvm::Error failure() {
  return llvm::createStringError("no lowering for tosa.frob");
}

/// Adds 1 to each element.
static constexpr const char *kAddOne = R"(
func.func @main(%in: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %out = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %in[%i] : memref<?xf32>
    %y = arith.addf %x, %one : f32
    memref.store %y, %out[%i] : memref<?xf32>
  }
  return %out : memref<?xf32>
})";

/// As kAddOne, by two threads.
static constexpr const char *kParallelAddOne = R"(
func.func @main(%in: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %out = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %in[%i] : memref<?xf32>
    %y = arith.addf %x, %one : f32
    memref.store %y, %out[%i] : memref<?xf32>
    scf.reduce
  }
  return %out : memref<?xf32>
})";

/// Adds 1 to the argument itself.
static constexpr const char *kCount = R"(
func.func @main(%n: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %x = memref.load %n[%c0] : memref<1xf32>
  %y = arith.addf %x, %one : f32
  memref.store %y, %n[%c0] : memref<1xf32>
  return
})";

static Signature dynamicVector() {
  return {{arrayOf({INT64_MIN})}, {arrayOf({INT64_MIN})}};
}

//===----------------------------------------------------------------------===//
// Models that are right
//===----------------------------------------------------------------------===//

TEST_F(ModelServerTest, TellsWhatItHasBuilt) {
  server = start(kAddOne, dynamicVector(), {{tensorOf({2}, {1, 2})}});
  ASSERT_TRUE(server);
  const ServedModel &model = server->getModel();
  ASSERT_EQ(model.signature.arguments.size(), 1u);
  ASSERT_EQ(model.signature.results.size(), 1u);
  EXPECT_EQ(model.signature.results[0].elementType, "f32");
  EXPECT_EQ(model.signature.results[0].shape,
            (std::vector<int64_t>{INT64_MIN}));
  EXPECT_FALSE(model.signature.results[0].isScalar);
  EXPECT_GT(model.buildSeconds, 0);
  EXPECT_GT(model.textBytes, 0u);
  EXPECT_GT(model.objectBytes, model.textBytes);
  EXPECT_EQ(model.fingerprint.size(), 32u);
  auto again = start(kAddOne, dynamicVector(), {{tensorOf({1}, {1})}});
  auto other = start(kCount, {{arrayOf({1})}, {}}, {{tensorOf({1}, {1})}});
  ASSERT_TRUE(again && other);
  EXPECT_EQ(again->getModel().fingerprint, model.fingerprint);
  EXPECT_NE(other->getModel().fingerprint, model.fingerprint);
}

TEST_F(ModelServerTest, StartsAgainWhatWasBuilt) {
  // Constants are stored outside of the object; the second one is not aligned
  // where the first ends.
  constexpr const char *kScaled = R"(
    memref.global "private" constant @bits : memref<2049xi1> = dense<true>
    memref.global "private" constant @w : memref<1024xf32> = dense<0.5>
    func.func @main(%x: f32) -> f32 {
      %i = arith.constant 1000 : index
      %zero = arith.constant 0.0 : f32
      %bits = memref.get_global @bits : memref<2049xi1>
      %bit = memref.load %bits[%i] : memref<2049xi1>
      %w = memref.get_global @w : memref<1024xf32>
      %y = memref.load %w[%i] : memref<1024xf32>
      %z = arith.mulf %x, %y : f32
      %r = arith.select %bit, %z, %zero : f32
      return %r : f32
    })";
  Signature signature = {{scalarOf("f32", 4)}, {scalarOf("f32", 4)}};
  server = start(kScaled, signature, {{tensorOf({}, {3})}});
  ASSERT_TRUE(server);
  // This process has not built anything, so only the other's model can run.
  auto again =
      server->startAgain({{tensorOf({}, {8})}, {tensorOf({}, {4})}}, options);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  const ServedModel &before = server->getModel(), &after = (*again)->getModel();
  EXPECT_EQ(after.fingerprint, before.fingerprint);
  EXPECT_EQ(after.textBytes, before.textBytes);
  EXPECT_EQ(after.buildSeconds, before.buildSeconds);
  EXPECT_EQ((*again)->getRequestCount(), 2u);
  auto results = llvm::cantFail((*again)->getResults());
  EXPECT_EQ(floatsOf(results[0][0]), std::vector<float>{4});
  EXPECT_EQ(floatsOf(results[1][0]), std::vector<float>{2});
  // Each continues by itself, also after its origin has ended.
  results = llvm::cantFail(server->getResults());
  EXPECT_EQ(floatsOf(results[0][0]), std::vector<float>{1.5f});
  server.reset();
  auto third = (*again)->startAgain({{tensorOf({}, {6})}}, options);
  ASSERT_TRUE(bool(third)) << llvm::toString(third.takeError());
  results = llvm::cantFail((*third)->getResults());
  EXPECT_EQ(floatsOf(results[0][0]), std::vector<float>{3});
}

TEST_F(ModelServerTest, ResultsOfEachRequest) {
  server = start(kAddOne, dynamicVector(),
                 {{tensorOf({2}, {1, 2})}, {tensorOf({3}, {7, 8, 9})}});
  ASSERT_TRUE(server);
  EXPECT_EQ(server->getRequestCount(), 2u);
  for (int i = 0; i != 2; ++i) {
    auto results = server->getResults();
    ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
    ASSERT_EQ(results->size(), 2u);
    ASSERT_EQ((*results)[0].size(), 1u);
    ASSERT_EQ((*results)[1].size(), 1u);
    EXPECT_EQ(floatsOf((*results)[0][0]), (std::vector<float>{2, 3}));
    EXPECT_EQ(floatsOf((*results)[1][0]), (std::vector<float>{8, 9, 10}));
    EXPECT_EQ((*results)[1][0].shape, std::vector<int64_t>{3});
    EXPECT_GT(llvm::cantFail(server->run(5, /*warmUp=*/3)), 0);
  }
}

TEST_F(ModelServerTest, ResultsDoNotDependOnEarlierRuns) {
  server = start(kCount, {{arrayOf({1})}, {}}, {{tensorOf({1}, {41})}});
  ASSERT_TRUE(server);
  EXPECT_GT(llvm::cantFail(server->run(10)), 0);
  for (int i = 0; i != 2; ++i) {
    auto results = llvm::cantFail(server->getResults());
    ASSERT_EQ(results[0].size(), 1u);
    EXPECT_EQ(floatsOf(results[0][0]), std::vector<float>{42});
  }
}

TEST_F(ModelServerTest, TwoAtOnceWithThreads) {
  options.threads = 2;
  server =
      start(kParallelAddOne, dynamicVector(), {{tensorOf({3}, {1, 2, 3})}});
  auto other =
      start(kParallelAddOne, dynamicVector(), {{tensorOf({2}, {5, 6})}});
  ASSERT_TRUE(server && other);
  for (int i = 0; i != 5; ++i) {
    EXPECT_GT(llvm::cantFail(server->run(3)), 0);
    EXPECT_GT(llvm::cantFail(other->run(3)), 0);
  }
  EXPECT_EQ(floatsOf(llvm::cantFail(server->getResults())[0][0]),
            (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(floatsOf(llvm::cantFail(other->getResults())[0][0]),
            (std::vector<float>{6, 7}));
  // One may end before the other.
  server.reset();
  EXPECT_GT(llvm::cantFail(other->run(3)), 0);
}

//===----------------------------------------------------------------------===//
// Errors while building
//===----------------------------------------------------------------------===//

TEST_F(ModelServerTest, BuildFails) {
  std::string error =
      startError([]() -> llvm::Expected<CompiledModel> { return failure(); });
  EXPECT_NE(error.find("building the model: no lowering for tosa.frob"),
            std::string::npos)
      << error;
}

TEST_F(ModelServerTest, BuildCrashes) {
  std::string error = startError([]() -> llvm::Expected<CompiledModel> {
    raise(SIGSEGV);
    return failure();
  });
  EXPECT_NE(error.find("building the model: killed by SIGSEGV"),
            std::string::npos)
      << error;
}

/// Recurses until no stack is left.
static uint64_t recurse(volatile uint64_t *previous) {
  volatile uint64_t values[64] = {*previous};
  return values[0] == 0 ? 0 : recurse(values) + values[0];
}

TEST_F(ModelServerTest, BuildOverflowsItsStack) {
  std::string error = startError([]() -> llvm::Expected<CompiledModel> {
    volatile uint64_t begin = 1;
    if (recurse(&begin) == 0)
      return CompiledModel();
    return failure();
  });
  EXPECT_NE(error.find("killed by SIGSEGV"), std::string::npos) << error;
}

TEST_F(ModelServerTest, BuildExits) {
  std::string error =
      startError([]() -> llvm::Expected<CompiledModel> { std::exit(0); });
  EXPECT_NE(error.find("called exit"), std::string::npos) << error;
}

TEST_F(ModelServerTest, BuildHitsAFatalError) {
  std::string error = startError([]() -> llvm::Expected<CompiledModel> {
    llvm::report_fatal_error("cannot select: x", /*gen_crash_diag=*/false);
  });
  EXPECT_NE(error.find("building the model: cannot select: x"),
            std::string::npos)
      << error;
}

TEST_F(ModelServerTest, BuildEatsMemory) {
  options.memory = 512 << 20;
  std::string error = startError([]() -> llvm::Expected<CompiledModel> {
    constexpr size_t kBytes = 16 << 20;
    std::vector<std::unique_ptr<char[]>> blocks;
    // More than the memory of any machine: only a limit ends it.
    while (blocks.size() != size_t(1) << 24) {
      blocks.emplace_back(new char[kBytes]);
      std::memset(blocks.back().get(), 1, kBytes);
    }
    return failure();
  });
  EXPECT_NE(error.find("building the model: ran out of memory"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("512 MiB"), std::string::npos) << error;
}

TEST_F(ModelServerTest, BuildsWithinItsMemory) {
  options.memory = uint64_t(1) << 30;
  server = start(kAddOne, dynamicVector(), {{tensorOf({1}, {1})}});
  ASSERT_TRUE(server);
  EXPECT_EQ(floatsOf(llvm::cantFail(server->getResults())[0][0]),
            std::vector<float>{2});
}

TEST_F(ModelServerTest, BuildHangs) {
  options.buildSeconds = 0.5;
  std::string error = startError([]() -> llvm::Expected<CompiledModel> {
    while (true)
      pause();
  });
  EXPECT_NE(error.find("building the model: took longer than 0.5 s"),
            std::string::npos)
      << error;
}

TEST_F(ModelServerTest, ArgumentsDoNotFit) {
  auto started = ModelServer::start(
      [&] { return compileText(*context, kAddOne, dynamicVector()); },
      {Arguments()}, options);
  ASSERT_FALSE(bool(started));
  std::string error = llvm::toString(started.takeError());
  EXPECT_NE(error.find("0 given, 1 expected"), std::string::npos) << error;
  started = ModelServer::start([&] { return CompiledModel(); }, {}, options);
  ASSERT_FALSE(bool(started));
  error = llvm::toString(started.takeError());
  EXPECT_NE(error.find("no request"), std::string::npos) << error;
}

//===----------------------------------------------------------------------===//
// Errors while running
//===----------------------------------------------------------------------===//

TEST_F(ModelServerTest, RunCrashes) {
  server = start(R"(
    func.func @main() {
      %one = arith.constant 1.0 : f32
      %zero = llvm.mlir.zero : !llvm.ptr
      %bad = llvm.getelementptr %zero[16] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store volatile %one, %bad : f32, !llvm.ptr
      return
    })",
                 {}, {{}});
  ASSERT_TRUE(server);
  std::string error = runError();
  EXPECT_NE(error.find("running the model: killed by SIGSEGV"),
            std::string::npos)
      << error;
  EXPECT_NE(runError().find("its process ended earlier"), std::string::npos);
  auto results = server->getResults();
  EXPECT_FALSE(bool(results));
  llvm::consumeError(results.takeError());
}

TEST_F(ModelServerTest, WarmUpsAreRuns) {
  server =
      start(kFifthCallCrashes, {{arrayOf({1})}, {}}, {{tensorOf({1}, {0})}});
  ASSERT_TRUE(server);
  EXPECT_EQ(runError(1), "");
  auto seconds = server->run(1, /*warmUp=*/2);
  EXPECT_TRUE(bool(seconds)) << llvm::toString(seconds.takeError());
  EXPECT_NE(runError(1).find("SIGSEGV"), std::string::npos);
}

TEST_F(ModelServerTest, RunExits) {
  server = start(kExits, {}, {{}});
  ASSERT_TRUE(server);
  std::string error = runError();
  EXPECT_NE(error.find("the model called exit(3)"), std::string::npos) << error;
}

TEST_F(ModelServerTest, RunAllocatesTooMuch) {
  options.memory = uint64_t(1) << 30;
  HostTensor size = indexOf(int64_t(1) << 30);
  server = start(kAllocates, {{scalarOf("index", 8)}, {arrayOf({INT64_MIN})}},
                 {{size}});
  ASSERT_TRUE(server);
  std::string error = runError();
  EXPECT_NE(error.find("no memory is left"), std::string::npos) << error;
}

TEST_F(ModelServerTest, RunNeverReturns) {
  options.runSeconds = 0.5;
  server = start(kForever, {}, {{}});
  ASSERT_TRUE(server);
  std::string error = runError();
  EXPECT_NE(error.find("running the model: took longer than 0.5 s"),
            std::string::npos)
      << error;
}

//===----------------------------------------------------------------------===//
// The user, and the end
//===----------------------------------------------------------------------===//

TEST_F(ModelServerTest, InterruptEndsAWait) {
  unsigned questions = 0;
  options.isInterrupted = [&] { return ++questions > 10; };
  auto started = ModelServer::start(
      []() -> llvm::Expected<CompiledModel> {
        while (true)
          pause();
      },
      {Arguments()}, options);
  ASSERT_FALSE(bool(started));
  EXPECT_TRUE(started.errorIsA<InterruptedError>());
  llvm::consumeError(started.takeError());

  bool isInterrupted = false;
  options.isInterrupted = [&] { return isInterrupted; };
  server = start(kForever, {}, {{}});
  ASSERT_TRUE(server);
  isInterrupted = true;
  auto seconds = server->run(1);
  ASSERT_FALSE(bool(seconds));
  EXPECT_TRUE(seconds.errorIsA<InterruptedError>());
  llvm::consumeError(seconds.takeError());
}

TEST_F(ModelServerTest, SignalsOfTheTerminalAreTheParents) {
  // The build reports the child's number.
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  auto started = ModelServer::start(
      [&] {
        pid_t self = getpid();
        EXPECT_EQ(write(ends[1], &self, sizeof self), ssize_t(sizeof self));
        return compileText(*context, kAddOne, dynamicVector());
      },
      {{tensorOf({1}, {1})}}, options);
  ASSERT_TRUE(bool(started)) << llvm::toString(started.takeError());
  server = std::move(*started);
  pid_t child = 0;
  ASSERT_EQ(read(ends[0], &child, sizeof child), ssize_t(sizeof child));
  close(ends[0]);
  close(ends[1]);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    kill(child, signal);
  EXPECT_GT(llvm::cantFail(server->run(3)), 0);
  server.reset();
  // It has ended, and is not a zombie.
  EXPECT_EQ(kill(child, 0), -1);
}

TEST_F(ModelServerTest, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  pid_t parent = fork();
  if (parent == 0) {
    close(ends[0]);
    auto started = ModelServer::start(
        [&] { return compileText(*context, kAddOne, dynamicVector()); },
        {{tensorOf({1}, {1})}}, options);
    raise(SIGKILL);
  }
  close(ends[1]);
  EXPECT_EQ(waitpid(parent, nullptr, 0), parent);
  // The last copy of the other end closes with the server.
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}
