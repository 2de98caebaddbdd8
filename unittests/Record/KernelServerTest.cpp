//===- KernelServerTest.cpp - Tests of kernels that change ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/KernelServer.h"
#include "TestModel.h"
#include "mlir-prof/Record/Worker.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <regex>
#include <sys/wait.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

/// Adds 1 to each element, or multiplies it by 2.
static std::string makePointwise(llvm::StringRef op, llvm::StringRef number,
                                 size_t size = 4096) {
  std::string text = (R"(
#map = affine_map<(i) -> (i)>
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %c = arith.constant )" +
                      number + R"( : f32
  %empty = tensor.empty() : tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#map, #map],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%empty : tensor<4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = )" + op + R"( %in, %c : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
})")
                         .str();
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  return std::regex_replace(text, std::regex("tensor<4096xf32>"), type);
}

/// x times a constant whose element (i, j) is i + 100 j.
static std::string makeProduct() {
  std::string weights;
  for (int i = 0; i != 8; ++i) {
    weights += i == 0 ? "[" : ", [";
    for (int j = 0; j != 80; ++j)
      weights += (j == 0 ? "" : ", ") + std::to_string(i + 100 * j) + ".0";
    weights += "]";
  }
  return R"(
func.func @main(%x: tensor<16x8xf32>) -> tensor<16x80xf32> {
  %w = arith.constant dense<[)" +
         weights + R"(]> : tensor<8x80xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x80xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x80xf32>)
    -> tensor<16x80xf32>
  %r = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x80xf32>)
    outs(%fill : tensor<16x80xf32>) -> tensor<16x80xf32>
  return %r : tensor<16x80xf32>
})";
}

/// The sum of `count` vectors of 4096 numbers, and perhaps the tanh of the
/// first one.
static std::string makeSum(size_t count, bool addsTanh = false) {
  std::string type = "tensor<4096xf32>", parameters, names, types, maps,
              elements, sums;
  for (size_t i = 0; i != count; ++i) {
    std::string comma = i == 0 ? "" : ", ", number = std::to_string(i);
    parameters += comma + "%a" + number + ": " + type;
    names += comma + "%a" + number;
    types += comma + type;
    maps += "#map, ";
    elements += "%e" + number + ": f32, ";
    sums += "    %s" + std::to_string(i + 1) + " = arith.addf %s" + number +
            ", %e" + number + " : f32\n";
  }
  std::string results = type, returned = "%r : " + type, tanh;
  if (addsTanh) {
    results = "(" + type + ", " + type + ")";
    returned = "%r, %p : " + type + ", " + type;
    tanh = "  %v = tensor.empty() : " + type +
           "\n  %p = linalg.generic {indexing_maps = [#map, #map], "
           "iterator_types = [\"parallel\"]}\n    ins(%a0 : " +
           type + ") outs(%v : " + type +
           ") {\n  ^bb0(%x: f32, %out: f32):\n    %t = math.tanh %x : f32\n"
           "    linalg.yield %t : f32\n  } -> " +
           type + "\n";
  }
  return "#map = affine_map<(i) -> (i)>\nfunc.func @main(" + parameters +
         ") -> " + results + " {\n  %empty = tensor.empty() : " + type +
         "\n  %s0 = arith.constant 0.0 : f32" +
         "\n  %r = linalg.generic {indexing_maps = [" + maps +
         "#map], iterator_types = [\"parallel\"]}\n    ins(" + names + " : " +
         types + ") outs(%empty : " + type + ") {\n  ^bb0(" + elements +
         "%out: f32):\n" + sums + "    linalg.yield %s" +
         std::to_string(count) + " : f32\n  } -> " + type + "\n" + tanh +
         "  return " + returned + "\n}\n";
}

namespace {
class KernelServerTest : public ::testing::Test {
protected:
  KernelServerTest() : context(makeContext()) {
    compile.pipeline = "default";
    compile.keepKernels = true;
    compile.target = codegen::getHostTarget(/*threads=*/1);
    options.buildSeconds = 60;
    options.runSeconds = 60;
  }

  /// Tests do not leave processes behind.
  ~KernelServerTest() override {
    server.reset();
    worker.reset();
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  }

  CompiledModel build(llvm::StringRef text) {
    auto model = compileModel(
        mlir::parseSourceString<mlir::ModuleOp>(text, context.get()), compile);
    if (model)
      return std::move(*model);
    ADD_FAILURE() << llvm::toString(model.takeError());
    return CompiledModel();
  }

  void start(const CompiledModel &model, HostTensor input) {
    auto started = KernelServer::start([&] { return model; },
                                       {Arguments{std::move(input)}}, options);
    if (started)
      server = std::move(*started);
    else
      ADD_FAILURE() << llvm::toString(started.takeError());
  }

  std::vector<float> getResults() {
    auto results = server->getResults();
    if (results)
      return floatsOf(results->front().front());
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }

  /// The results after a run with `choice`.
  std::vector<float> getResults(KernelChoice choice) {
    auto seconds = server->time(0, choice, 3);
    EXPECT_TRUE(bool(seconds)) << llvm::toString(seconds.takeError());
    if (seconds)
      EXPECT_GT(*seconds, 0);
    return getResults();
  }

  void expectGood(llvm::Error error) {
    EXPECT_FALSE(error) << llvm::toString(std::move(error));
  }

  std::unique_ptr<mlir::MLIRContext> context;
  CompileOptions compile;
  ServerOptions options;
  std::unique_ptr<KernelServer> server;
  std::unique_ptr<Worker> worker;
};
} // namespace

TEST_F(KernelServerTest, ReplacedKernelGivesTheOnesResultsThatRuns) {
  CompiledModel adds = build(makePointwise("arith.addf", "1.0")),
                doubles = build(makePointwise("arith.mulf", "2.0"));
  ASSERT_EQ(adds.kernelCode.size(), 1u);
  ASSERT_EQ(doubles.kernelCode.size(), 1u);
  const KernelCode &other = doubles.kernelCode.front();
  KernelVariant candidate;
  candidate.object = other.object;
  candidate.symbol = other.symbol;
  std::vector<float> input(4096), sums(4096), products(4096);
  for (int i = 0; i != 4096; ++i) {
    input[i] = float(i);
    sums[i] = float(i + 1);
    products[i] = float(2 * i);
  }
  start(adds, tensorOf({4096}, input));
  ASSERT_TRUE(server);
  EXPECT_EQ(getResults(), sums);
  expectGood(server->load(0, candidate));
  EXPECT_EQ(getResults(), sums);
  EXPECT_EQ(getResults(KernelChoice::Candidate), products);
  EXPECT_EQ(getResults(KernelChoice::Incumbent), sums);
  // Back and forth, then for good.
  EXPECT_EQ(getResults(KernelChoice::Candidate), products);
  expectGood(server->keep(0, KernelChoice::Incumbent));
  EXPECT_EQ(getResults(), sums);
  expectGood(server->load(0, candidate));
  expectGood(server->keep(0, KernelChoice::Candidate));
  EXPECT_EQ(getResults(), products);
  auto times = server->timeAll(2);
  ASSERT_TRUE(bool(times)) << llvm::toString(times.takeError());
  ASSERT_EQ(times->size(), 1u);
  EXPECT_GT(times->front(), 0);
}

// The table of a program follows from the phases of its kernels.
TEST_F(KernelServerTest, ReplacedKernelMayHaveOtherPhases) {
  constexpr size_t kSize = 1 << 18;
  compile.target = codegen::getHostTarget(/*threads=*/2);
  options.threads = 2;
  CompiledModel adds = build(makePointwise("arith.addf", "1.0", kSize));
  ASSERT_EQ(adds.kernelCode.size(), 1u);
  ASSERT_EQ(adds.programs.size(), 1u);
  ASSERT_EQ(adds.kernelCode.front().phases.phases.size(), 1u);
  EXPECT_GT(adds.kernelCode.front().phases.phases.front().grid[0], 1u);
  std::vector<float> input(kSize), sums(kSize), products(kSize);
  for (size_t i = 0; i != kSize; ++i) {
    input[i] = float(i % 1000);
    sums[i] = input[i] + 1;
    products[i] = 2 * input[i];
  }
  start(adds, tensorOf({int64_t(kSize)}, input));
  ASSERT_TRUE(server);
  EXPECT_EQ(getResults(), sums);
  // One has a single workgroup, the other one as many as the incumbent.
  for (unsigned threads : {1, 2}) {
    compile.target = codegen::getHostTarget(threads);
    CompiledModel doubles = build(makePointwise("arith.mulf", "2.0", kSize));
    ASSERT_EQ(doubles.kernelCode.size(), 1u);
    const KernelCode &other = doubles.kernelCode.front();
    KernelVariant candidate;
    candidate.object = other.object;
    candidate.symbol = other.symbol;
    candidate.phases = other.phases;
    expectGood(server->load(0, candidate));
    EXPECT_EQ(getResults(), sums);
    EXPECT_EQ(getResults(KernelChoice::Candidate), products);
    EXPECT_EQ(getResults(KernelChoice::Incumbent), sums);
  }
  expectGood(server->keep(0, KernelChoice::Candidate));
  EXPECT_EQ(getResults(), products);
  auto times = server->timeAll(2);
  ASSERT_TRUE(bool(times)) << llvm::toString(times.takeError());
  ASSERT_EQ(times->size(), 1u);
  EXPECT_GT(times->front(), 0);
}

// The host side calls kernels directly that a dispatch of a program cannot
// have, as for their number of arguments.
TEST_F(KernelServerTest, KernelsOutsideOfProgramsAreWholeAndTimed) {
  constexpr size_t kInputs = 1100, kSize = 4096;
  compile.target = codegen::getHostTarget(/*threads=*/2);
  CompiledModel model = build(makeSum(kInputs, /*addsTanh=*/true));
  ASSERT_EQ(model.kernelCode.size(), 2u);
  ASSERT_EQ(model.programs.size(), 1u);
  EXPECT_EQ(model.programs.front().kernels.size(), 1u);
  Arguments arguments;
  for (size_t i = 0; i != kInputs; ++i)
    arguments.push_back(
        tensorOf({int64_t(kSize)}, std::vector<float>(kSize, 1)));
  options.threads = 2;
  auto started =
      KernelServer::start([&] { return model; }, {arguments}, options);
  ASSERT_TRUE(bool(started)) << llvm::toString(started.takeError());
  server = std::move(*started);
  std::vector<float> results = getResults();
  EXPECT_EQ(results.size(), kSize);
  for (size_t i = 0; i < results.size(); ++i)
    ASSERT_EQ(results[i], float(kInputs)) << i;
  auto times = server->timeAll(2);
  ASSERT_TRUE(bool(times)) << llvm::toString(times.takeError());
  ASSERT_EQ(times->size(), 2u);
  EXPECT_GT((*times)[0], 0);
  EXPECT_GT((*times)[1], 0);
}

TEST_F(KernelServerTest, MissingCandidateEndsTheProcess) {
  start(build(makePointwise("arith.addf", "1.0")),
        tensorOf({4096}, std::vector<float>(4096)));
  ASSERT_TRUE(server);
  llvm::Error error = server->keep(0, KernelChoice::Candidate);
  EXPECT_EQ(llvm::toString(std::move(error)),
            "running the model: the kernel does not have a candidate");
  llvm::Error later = server->load(7, KernelVariant());
  EXPECT_EQ(llvm::toString(std::move(later)),
            "loading a kernel: its process ended earlier");
}

TEST_F(KernelServerTest, VariantReadsItsConstantsInItsOrder) {
  CompiledModel model = build(makeProduct());
  ASSERT_EQ(model.kernelCode.size(), 1u);
  const KernelCode &kernel = model.kernelCode.front();
  uint32_t product = ~0u;
  auto module = readKernel(kernel.bytecode, *context);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  forEachKernelOp(**module, [&](uint32_t number, mlir::Operation *op) {
    if (op->getName().getStringRef() == "linalg.generic")
      product = number;
  });
  KernelVariants variants(compile);
  auto variant = variants.compile(
      kernel, {{{product}, "tiles", {{"rows", "4"}, {"vectors", "1"}}}});
  ASSERT_TRUE(bool(variant)) << llvm::toString(variant.takeError());
  auto same = variants.compile(kernel, {});
  ASSERT_TRUE(bool(same)) << llvm::toString(same.takeError());
  EXPECT_NE(variant->fingerprint, same->fingerprint);
  // The rule's panels are wider than one vector.
  ASSERT_EQ(variant->repacked.size(), 1u);
  const codegen::RepackedArgument &repacked = variant->repacked.front();
  EXPECT_EQ(repacked.columns, 80);
  EXPECT_EQ(repacked.inner, 8);
  EXPECT_GT(repacked.before, repacked.after);
  std::vector<float> input(16 * 8), expected(16 * 80);
  for (int i = 0; i != 16 * 8; ++i)
    input[i] = float(i % 7);
  for (int row = 0; row != 16; ++row)
    for (int column = 0; column != 80; ++column)
      for (int k = 0; k != 8; ++k)
        expected[row * 80 + column] +=
            input[row * 8 + k] * float(k + 100 * column);
  start(model, tensorOf({16, 8}, input));
  ASSERT_TRUE(server);
  EXPECT_EQ(getResults(), expected);
  expectGood(server->load(0, *variant));
  EXPECT_EQ(getResults(KernelChoice::Candidate), expected);
  EXPECT_EQ(getResults(KernelChoice::Incumbent), expected);
}

// A kernel with a constant in another order gets all its other arguments, too.
TEST_F(KernelServerTest, VariantMayHaveManyArguments) {
  constexpr size_t kInputs = 300, kSize = 4096;
  CompiledModel model = build(makeSum(kInputs));
  ASSERT_EQ(model.kernelCode.size(), 1u);
  const KernelCode &kernel = model.kernelCode.front();
  ASSERT_GT(kernel.isConstant.size(), kInputs);
  Arguments arguments;
  float sum = 0;
  for (size_t i = 0; i != kInputs; ++i) {
    arguments.push_back(
        tensorOf({int64_t(kSize)}, std::vector<float>(kSize, float(i))));
    sum += float(i);
  }
  // Its elements are equal, so that the order does not matter.
  KernelVariant candidate;
  candidate.object = kernel.object;
  candidate.symbol = kernel.symbol;
  candidate.repacked.push_back({290, 1, 64, 64, 32, 16, 4});
  ASSERT_EQ(candidate.repacked.front().getBytes(), kSize * 4);
  auto started =
      KernelServer::start([&] { return model; }, {arguments}, options);
  ASSERT_TRUE(bool(started)) << llvm::toString(started.takeError());
  server = std::move(*started);
  expectGood(server->load(0, candidate));
  EXPECT_EQ(getResults(KernelChoice::Candidate),
            std::vector<float>(kSize, sum));
  EXPECT_EQ(getResults(KernelChoice::Incumbent),
            std::vector<float>(kSize, sum));
}

TEST_F(KernelServerTest, WorkerAnswersAndFails) {
  auto started = Worker::start(
      [](llvm::StringRef request) -> llvm::Expected<std::string> {
        if (request == "crash")
          abort();
        if (request == "fail")
          return llvm::createStringError("cannot do that");
        return "did " + request.str();
      },
      options);
  ASSERT_TRUE(bool(started)) << llvm::toString(started.takeError());
  worker = std::move(*started);
  auto answer = [&](llvm::StringRef request) {
    if (llvm::Error error = worker->begin(request))
      return llvm::toString(std::move(error));
    auto result = worker->finish();
    return result ? *result : "error: " + llvm::toString(result.takeError());
  };
  EXPECT_EQ(answer("one"), "did one");
  EXPECT_EQ(answer("fail"), "error: cannot do that");
  EXPECT_EQ(answer("two"), "did two");
  EXPECT_EQ(answer("crash"), "error: compiling a kernel: killed by SIGABRT");
}

TEST(KernelVariantBytesTest, DamagedOnesAreRefused) {
  KernelVariant kernel;
  kernel.object = "code";
  kernel.symbol = "matmul";
  kernel.phases = {{{{8, 2, 1}, 900}, {{1, 1, 1}, 0}}, 4096};
  kernel.repacked.push_back({1, 1, 80, 8, 32, 16, 4});
  std::string bytes = writeKernelVariant(kernel);
  auto read = readKernelVariant(bytes);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->symbol, "matmul");
  EXPECT_TRUE(read->phases == kernel.phases);
  EXPECT_EQ(read->repacked.front().getBytes(), 5 * 8 * 16 * 4u);
  for (size_t size = 0; size != bytes.size(); ++size) {
    auto cut = readKernelVariant(llvm::StringRef(bytes).take_front(size));
    EXPECT_FALSE(bool(cut)) << size;
    llvm::consumeError(cut.takeError());
  }
}
