//===- ReaderTest.cpp - Reading and storing modules -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Match/Recordings.h"
#include "mlir-prof/Dialect/Prof/LocationCarrier.h"
#include "mlir-prof/Module/StoredLevel.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using llvm::StringRef;

namespace {

/// The error of reading a file; "" if it can be read.
std::string readError(StringRef path) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  prepareContext(context);
  auto root = readModule(path, context);
  return root ? "" : llvm::toString(root.takeError());
}

std::string readTextError(StringRef text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  prepareContext(context);
  auto root = parseModule(llvm::MemoryBuffer::getMemBufferCopy(text, "m.mlir"),
                          context);
  return root ? "" : llvm::toString(root.takeError());
}

bool contains(StringRef text, StringRef part) { return text.contains(part); }

std::string getInput(StringRef name) {
  return std::string(MLIRPROF_TEST_DIR) + "/data/modules/" + name.str();
}

/// A temporary file that is deleted after the test.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef bytes) {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("mlirprof", "mlir",
                                                    descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << bytes;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::SmallString<128> path;
};

TEST(ReaderTest, RefusesPrettyStableHlo) {
  std::string error = readError(getPath("jax/mlp", "model.mlir"));
  EXPECT_TRUE(contains(error, "model.mlir:")) << error;
  EXPECT_TRUE(contains(error, "stablehlo")) << error;
  EXPECT_TRUE(contains(error, "print_generic_op_form=True")) << error;
  EXPECT_TRUE(contains(error, "tf-standard-pipeline")) << error;
}

TEST(ReaderTest, RefusesStableHloBytecode) {
  std::string error = readError(getInput("stablehlo.mlirbc"));
  EXPECT_TRUE(contains(error, "bytecode of dialect 'stablehlo'")) << error;
  EXPECT_TRUE(contains(error, "print_generic_op_form=True")) << error;
}

TEST(ReaderTest, AcceptsTensorFlowBytecode) {
  EXPECT_EQ(readError(getInput("tensorflow.mlirbc")), "");
}

/// Bytecode that mlir-opt makes of generic StableHLO holds attributes as text.
TEST(ReaderTest, AcceptsBytecodeOfUnregisteredOps) {
  LoadedModule module = loadModule(getPath("jax/mlp", "model.generic.mlir"));
  ASSERT_TRUE(module.root);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(succeeded(mlir::writeBytecodeToFile(*module.root, os)));
  TemporaryFile file(bytes);
  EXPECT_EQ(readError(file.path), "");
}

TEST(ReaderTest, RefusesExecutorTextAndTorch) {
  std::string error = readTextError(
      "func.func @f() {\n  tf_executor.graph {\n  }\n  return\n}\n");
  EXPECT_TRUE(contains(error, "m.mlir:2:")) << error;
  EXPECT_TRUE(contains(error, "convert_function")) << error;
  error = readTextError("func.func @f() {\n  %0 = torch.constant.none\n}\n");
  EXPECT_TRUE(contains(error, "torch")) << error;
  EXPECT_TRUE(contains(error, "hint: ")) << error;
}

TEST(ReaderTest, NamesPlaceAndReason) {
  EXPECT_TRUE(contains(readTextError("func.func @f( {\n"), "m.mlir:1:"));
  EXPECT_TRUE(contains(readError(getInput("none.mlir")), "none.mlir"));
  TemporaryFile empty("");
  EXPECT_TRUE(contains(readError(empty.path), "is empty"));
}

TEST(ReaderTest, RefusesNestingThatWouldOverflowTheStack) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "\"a.b\"() ({\n";
  EXPECT_TRUE(contains(readTextError(text), "nest deeper"));
  // Brackets in strings and arrows do not count.
  std::string quoted = "\"a.b\"() {a = \"";
  quoted += std::string(5000, '<');
  quoted += "\\\"";
  quoted += "\"} : () -> ()\n";
  EXPECT_EQ(readTextError(quoted), "");
}

/// A closing bracket in a comment does not close, and `>` only closes `<`.
TEST(ReaderTest, CountsNestingAsTheParserDoes) {
  for (StringRef line : {"[//>\n", "[//]\n", "[>\n", "{//}\n", "<//>\n"}) {
    std::string text;
    for (int i = 0; i < 200000; ++i)
      text += line;
    EXPECT_TRUE(contains(readTextError(text), "nest deeper")) << line.str();
  }
  // Slashes that are not a comment, as in the body of a type.
  std::string type =
      "\"a.b\"() {a = #x.y<//>, b = " + std::string(200000, '[') +
      "} : () -> ()\n";
  EXPECT_NE(readTextError(type), "");
  // Comments, arrows and comparisons that do not add up.
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "// ([{<\n\"a.b\"() {s = affine_set<(d0) : (d0 >= 0, -d0 + 9 >= "
            "0)>, f = (f32) -> f32} : () -> ()\n";
  EXPECT_EQ(readTextError(text), "");
}

/// The bytes of a resource of 40,000 numbers in `root`.
llvm::ArrayRef<char> getResource(mlir::Operation *root) {
  llvm::ArrayRef<char> bytes;
  root->walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attribute : getAllAttributes(op))
      if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(
              attribute.getValue()))
        bytes = resource.getRawHandle().getBlob()->getData();
  });
  return bytes;
}

TEST(ReaderTest, LeavesResourcesInTheFile) {
  std::string text = "%0 = arith.constant dense_resource<w> : "
                     "tensor<40000xf32>\n{-# dialect_resources: { builtin: { "
                     "w: \"0x04000000";
  for (int i = 0; i != 40000; ++i)
    text += "0000803F";
  LoadedModule module = parseText(text + "\" } } #-}\n");
  ASSERT_TRUE(module.root);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(succeeded(mlir::writeBytecodeToFile(*module.root, os)));
  TemporaryFile file(bytes);
  for (bool isMapped : {false, true}) {
    mlir::MLIRContext context;
    prepareContext(context);
    auto sources = std::make_shared<llvm::SourceMgr>();
    auto buffer = openInput(file.path);
    ASSERT_TRUE(bool(buffer));
    auto root = readModule(std::move(*buffer), context, CrashRule::ComeBack,
                           isMapped ? sources : nullptr);
    ASSERT_TRUE(bool(root)) << llvm::toString(root.takeError());
    llvm::ArrayRef<char> resource = getResource(root->get());
    EXPECT_TRUE(resource.equals(getResource(*module.root)));
    ASSERT_EQ(sources->getNumBuffers(), isMapped ? 1u : 0u);
    if (!isMapped)
      continue;
    const llvm::MemoryBuffer *kept = sources->getMemoryBuffer(1);
    EXPECT_GE(resource.begin(), kept->getBufferStart());
    EXPECT_LE(resource.end(), kept->getBufferEnd());
    EXPECT_FALSE(llvm::errorToBool(checkUnchanged(*kept)));
    // The user stores another model in the meantime.
    std::error_code code;
    llvm::raw_fd_ostream(file.path, code) << "short";
    ASSERT_FALSE(code);
    EXPECT_TRUE(llvm::errorToBool(checkUnchanged(*kept)));
    for (char byte : resource.take_back(1000))
      EXPECT_EQ(byte, 0);
  }
}

/// The child process does not have threads to wait for.
TEST(ReaderTest, ReadsBytecodeWithThreads) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "func.func @f" + std::to_string(i) + "() { return }\n";
  LoadedModule module = parseText(text);
  ASSERT_TRUE(module.root);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(succeeded(mlir::writeBytecodeToFile(*module.root, os)));
  TemporaryFile file(bytes);
  mlir::MLIRContext context;
  prepareContext(context);
  for (int i = 0; i < 3; ++i) {
    auto root = readModule(file.path, context);
    EXPECT_TRUE(bool(root)) << llvm::toString(root.takeError());
  }
}

/// The constants of the only function's ops, as text.
std::vector<std::string> readConstants(const std::string &text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  prepareContext(context);
  auto root =
      readModule(llvm::MemoryBuffer::getMemBufferCopy(text, "m.mlir"), context);
  std::vector<std::string> constants;
  if (!root) {
    constants.push_back(llvm::toString(root.takeError()));
    return constants;
  }
  (*root)->walk([&](mlir::arith::ConstantOp op) {
    llvm::raw_string_ostream(constants.emplace_back()) << op.getValue();
  });
  return constants;
}

TEST(ReaderTest, BitsMayBeBytes) {
  auto read = [](const std::string &constant) {
    return readConstants("%c = arith.constant " + constant).front();
  };
  std::string bits = read("dense<[[1, 0, 1], [1, 1, 0], [0, 0, 1]]> : "
                          "tensor<3x3xi1>");
  EXPECT_EQ(read("dense<\"0x1D01\"> : tensor<3x3xi1>"), bits);
  EXPECT_EQ(read("dense<\"0x010001010100000001\"> : tensor<3x3xi1>"), bits);
  EXPECT_EQ(read("dense<\"0x0100010101000000\"> : vector<2x4xi1>"),
            read("dense<[[1, 0, 1, 1], [1, 0, 0, 0]]> : vector<2x4xi1>"));
  // Neither form, and other types.
  EXPECT_TRUE(contains(read("dense<\"0x010203\"> : tensor<3xi1>"),
                       "hex data size is invalid"));
  EXPECT_TRUE(contains(read("dense<\"0x0101\"> : tensor<3xi1>"),
                       "hex data size is invalid"));
  EXPECT_EQ(read("dense<\"0x0100\"> : tensor<2xi8>"),
            read("dense<[1, 0]> : tensor<2xi8>"));
  EXPECT_EQ(read("dense<\"0x01\"> : tensor<1xi1>"),
            read("dense<1> : tensor<1xi1>"));
  // Places behind it stay.
  EXPECT_TRUE(contains(readConstants("%c = arith.constant dense<\"0x0100\"> : "
                                     "tensor<2xi1> wrong")
                           .front(),
                       "m.mlir:1:52"));
}

/// 20,000 names and calls around each other: printing the module does not
/// exceed the stack, and the op is still found by its name and frame.
TEST(ReaderTest, ShortensLocationsForThePrinter) {
  std::string text = "#c0 = loc(\"a.py\":1:2)\n";
  for (int i = 1; i <= 20000; ++i) {
    std::string before = "(#c" + std::to_string(i - 1) + ")";
    text += "#c" + std::to_string(i) + " = loc(\"inner\"" + before + ")\n";
  }
  text += "\"x.y\"() : () -> () loc(\"jit(f)/a\"(#c20000))\n"
          "\"x.z\"() : () -> () loc(\"b\"(\"a.py\":3:4))\n";
  LoadedModule module = parseText(text);
  ASSERT_TRUE(module.root);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  module.root->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  EXPECT_TRUE(contains(printed, "\"jit(f)/a\"")) << printed;
  EXPECT_TRUE(contains(printed, "\"a.py\":1:2")) << printed;
  EXPECT_TRUE(contains(printed, "\"b\"(")) << printed;
  EXPECT_FALSE(contains(printed, "inner")) << printed;
  EXPECT_EQ(shortenLocations(*module.root), 0u);
}

TEST(ReaderTest, ShorteningKeepsWhatIsCarried) {
  LoadedModule module = parseText("module {}");
  ASSERT_TRUE(module.root);
  mlir::MLIRContext &context = *module.context;
  context.loadDialect<prof::ProfDialect>();
  auto data = prof::DataAttr::get(&context, 1, 2, 3, 4, 5);
  mlir::Location location = prof::carryData(
      mlir::NameLoc::get(mlir::StringAttr::get(&context, "m")), 7, data);
  for (int i = 0; i < 20000; ++i)
    location =
        mlir::CallSiteLoc::get(mlir::UnknownLoc::get(&context), location);
  module.root->setLoc(location);
  EXPECT_EQ(shortenLocations(*module.root), 1u);
  llvm::SmallVector<prof::CarriedData> carried;
  prof::collectData(module.root->getLoc(), carried);
  ASSERT_EQ(carried.size(), 1u);
  EXPECT_EQ(carried[0].source, 7);
  EXPECT_EQ(carried[0].data, data);
}

/// Every single byte of a module's bytecode broken: an error or a module, and
/// never a crash.
TEST(ReaderTest, SurvivesBrokenBytecode) {
  LoadedModule module = parseText(
      "module { func.func @f(%a: f32) -> f32 { %b = \"x.y\"(%a) {k = 1 : i32} "
      ": (f32) -> f32 loc(\"n\"(\"f.py\":1:2))\n return %b : f32 } }");
  ASSERT_TRUE(module.root);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_TRUE(succeeded(mlir::writeBytecodeToFile(*module.root, os)));
  for (size_t i = 4; i < bytes.size(); i += 3) {
    std::string broken = bytes;
    broken[i] = char(broken[i] ^ 0x14);
    readTextError(broken);
    readTextError(StringRef(bytes).take_front(i));
  }
}

TEST(StoreTest, KeepsLocationsAndTypes) {
  for (const std::string &recording : {"jax/train", "tf/train-xla"}) {
    LoadedModule module = loadModule(getPath(recording, "model.generic.mlir"));
    ASSERT_TRUE(module.root);
    Profile profile = loadProfile(recording);
    ASSERT_EQ(getMessage(storeModule(profile, "input", *module.root, "m")), "");
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    prepareContext(context);
    auto loaded = loadStoredModule(profile, "input", context);
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    Ownership before = matchProfile(profile, *module.root);
    Ownership after = matchProfile(profile, loaded->get());
    ASSERT_EQ(before.ops.size(), after.ops.size());
    for (size_t i = 0; i < before.ops.size(); ++i) {
      EXPECT_EQ(before.ops[i].op, after.ops[i].op);
      EXPECT_EQ(before.ops[i].path, after.ops[i].path);
      EXPECT_EQ(before.ops[i].location, after.ops[i].location);
      EXPECT_EQ(before.ops[i].cost, after.ops[i].cost);
    }
    for (size_t i = 0; i < before.matches.size(); ++i)
      EXPECT_EQ(before.matches[i].ops, after.matches[i].ops);
  }
}

TEST(StoreTest, LeavesOutLargeConstants) {
  std::string values;
  for (int i = 0; i < 4096; ++i)
    values += (i ? "," : "") + std::to_string(i);
  LoadedModule module = parseText(
      "module @m { %0 = arith.constant dense<[" + values +
      "]> : tensor<4096xi64>\n"
      "%1 = arith.constant dense<[1, 2]> : tensor<2xi64>\n"
      "%2 = \"tf.Const\"() {value = #tf_type<tensor_proto : \"0x" +
      std::string(10000, 'A') + "\"> : tensor<4xf32>} : () -> tensor<4xf32> }");
  ASSERT_TRUE(module.root);
  Profile profile;
  ASSERT_EQ(getMessage(storeModule(profile, "input", *module.root, "m")), "");
  const IrModule &stored = profile.irModules.front();
  EXPECT_EQ(stored.elided, 2u);
  EXPECT_EQ(stored.name, "m");
  EXPECT_EQ(stored.operations, 4u);
  EXPECT_LT(stored.bytecode.size(), 2000u);
  EXPECT_EQ(stored.fingerprint, contentHash(stored.bytecode));
  mlir::MLIRContext context;
  prepareContext(context);
  auto loaded = loadStoredModule(profile, "input", context);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  mlir::Operation &first = loaded->get()->getRegion(0).front().front();
  auto type = llvm::cast<mlir::RankedTensorType>(first.getResult(0).getType());
  EXPECT_EQ(type.getShape(), llvm::ArrayRef<int64_t>(4096));
  // Without a copy, the same is stored.
  ValueHashes hashes;
  IrModule own = shortenToStored(*module.root, "input", "m", hashes);
  ASSERT_EQ(own.values.size(), 1u);
  ASSERT_EQ(stored.values.size(), 1u);
  EXPECT_EQ(own.values[0].op, stored.values[0].op);
  EXPECT_EQ(own.values[0].hash, stored.values[0].hash);
  ASSERT_EQ(getMessage(setBytecode(own, *module.root)), "");
  EXPECT_EQ(own.bytecode, stored.bytecode);
  EXPECT_EQ(own.elided, stored.elided);
}

/// Bytecode with resources, as torch-mlir writes small ones, has to be aligned,
/// wherever a buffer begins, which the length of its name changes.
TEST(StoreTest, ReadsResourcesAtAnyAddress) {
  LoadedModule module = parseText(
      "module { %0 = \"torch.vtensor.literal\"() "
      "<{value = dense_resource<w> : tensor<4xf32>}> : () -> tensor<4xf32> }\n"
      "{-# dialect_resources: {builtin: {w: "
      "\"0x400000000000803F000000400000404000008040\"}} #-}");
  ASSERT_TRUE(module.root);
  for (size_t length = 1; length <= 128; ++length) {
    std::string level(length, 'l');
    Profile profile;
    ASSERT_EQ(getMessage(storeModule(profile, level, *module.root, "m")), "");
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    prepareContext(context);
    auto loaded = loadStoredModule(profile, level, context);
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  }
}

TEST(StoreTest, ReplacesALevelAndRefusesDamage) {
  LoadedModule module = parseText("module @a {}");
  LoadedModule other = parseText("module @b {}");
  Profile profile;
  ASSERT_EQ(getMessage(storeModule(profile, "input", *module.root, "a")), "");
  ASSERT_EQ(getMessage(storeModule(profile, "input", *other.root, "b")), "");
  ASSERT_EQ(profile.irModules.size(), 1u);
  EXPECT_EQ(profile.irModules.front().name, "b");
  mlir::MLIRContext context;
  prepareContext(context);
  auto missing = loadStoredModule(profile, "llvm", context);
  EXPECT_TRUE(contains(llvm::toString(missing.takeError()), "'llvm'"));
  profile.irModules.front().operations = 2;
  auto wrong = loadStoredModule(profile, "input", context);
  EXPECT_TRUE(contains(llvm::toString(wrong.takeError()),
                       "has 1 ops where the profile says 2"));
  profile.irModules.front().bytecode.back() ^= 1;
  auto damaged = loadStoredModule(profile, "input", context);
  EXPECT_TRUE(contains(llvm::toString(damaged.takeError()), "fingerprint"));
}

/// A chain of 100,000 calls: read, matched and stored without a deep recursion.
TEST(StoreTest, DeepLocations) {
  constexpr int kDepth = 100000;
  std::string text = "#c0 = loc(\"a.py\":1:1)\n";
  for (int i = 1; i <= kDepth; ++i)
    text += "#c" + std::to_string(i) + " = loc(callsite(unknown at #c" +
            std::to_string(i - 1) + "))\n";
  text += "\"x.y\"() : () -> () loc(\"jit(f)/a\"(#c" + std::to_string(kDepth) +
          "))\n";
  LoadedModule module = parseText(text);
  ASSERT_TRUE(module.root);
  // Reading has shortened it.
  EXPECT_EQ(shortenLocations(*module.root), 0u);
  Profile profile;
  profile.opKeys.push_back({});
  profile.opKeys.back().op = "jit(f)/a";
  Ownership ownership = matchProfile(profile, *module.root);
  EXPECT_EQ(ownership.matches[0].ops, std::vector<uint32_t>{1});
  EXPECT_EQ(ownership.ops[1].file, "a.py");
  ASSERT_EQ(getMessage(storeModule(profile, "input", *module.root, "m")), "");
  EXPECT_EQ(profile.irModules.front().elided, 0u);
  mlir::MLIRContext context;
  prepareContext(context);
  auto loaded = loadStoredModule(profile, "input", context);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  EXPECT_EQ(matchProfile(profile, loaded->get()).matches[0].ops,
            std::vector<uint32_t>{1});
}

// The verifier does not look for a symbol beyond an op that it does not know.
TEST(ReaderTest, AcceptsCallsWithinUnregisteredOps) {
  LoadedModule module = parseText(R"(
module {
  func.func private @f()
  func.func @main() {
    "sdy.manual_computation"() ({
      func.call @f() : () -> ()
      "sdy.return"() : () -> ()
    }) : () -> ()
    return
  }
})");
  EXPECT_TRUE(module.root);
  auto wrong = parseModule(llvm::MemoryBuffer::getMemBufferCopy(R"(
module {
  func.func @main() {
    func.call @f() : () -> ()
    return
  }
})",
                                                                "text"),
                           *module.context);
  EXPECT_NE(getMessage(wrong.takeError()).find("valid function"),
            std::string::npos);
}

} // namespace
