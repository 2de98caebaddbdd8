//===- OnnxTest.cpp - Origins of optimized ONNX graphs --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Onnx.h"
#include "Expected.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <protozero/pbf_writer.hpp>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

std::string field(uint32_t number, const std::string &value) {
  std::string bytes;
  protozero::pbf_writer(bytes).add_bytes(number, value);
  return bytes;
}

/// A field of GraphProto. `outputs` and `inputs` are names, one letter each.
std::string node(const char *name, const char *type, const char *inputs,
                 const char *outputs, const std::string &more = "") {
  std::string bytes;
  for (; *inputs; ++inputs)
    bytes += field(1, std::string(1, *inputs));
  for (; *outputs; ++outputs)
    bytes += field(2, std::string(1, *outputs));
  if (*name)
    bytes += field(3, name);
  return field(1, bytes + field(4, type) + more);
}

/// An attribute of NodeProto with a graph in it.
std::string inner(const char *name, const std::string &graph) {
  return field(5, field(1, name) + field(6, graph));
}

std::string model(const std::string &graph) { return field(7, graph); }

class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &content) {
    int descriptor = -1;
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("onnx", "onnx", descriptor, path));
    llvm::raw_fd_ostream(descriptor, true) << content;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::StringRef get() const { return path; }

private:
  llvm::SmallString<64> path;
};

OpKey makeKey(const char *name, std::vector<std::string> callers = {}) {
  OpKey key("", "", OnnxNodeKey());
  for (const std::string &caller : callers)
    key.op += caller + "/";
  key.op += name;
  key.get<OnnxNodeKey>().callers = std::move(callers);
  return key;
}

Profile measure(std::initializer_list<OpKey> keys) {
  Profile profile;
  profile.opKeys = keys;
  return profile;
}

/// "Kind node node ..."; nameless nodes as "Type#ordinal/alike".
std::string describe(const OpKey &key) {
  static const char *const kinds[] = {"unknown", "name", "whole", "part"};
  const NodeOrigins &origins = key.get<OnnxNodeKey>().origins;
  std::string text = kinds[int(origins.kind)];
  for (const OriginNode &node : origins.nodes)
    text += " " + (node.name.empty()
                       ? node.type + "#" + std::to_string(node.ordinal) + "/" +
                             std::to_string(node.alike)
                       : node.name);
  return text;
}

/// The origins of all keys after a join, or the error.
std::vector<std::string> join(Profile &profile, const std::string &original,
                              const std::string &optimized = "") {
  TemporaryFile before(original), after(optimized);
  auto counts = addOnnxOrigins(profile, before.get(),
                               optimized.empty() ? "" : after.get());
  if (!counts)
    return {llvm::toString(counts.takeError())};
  std::vector<std::string> texts;
  for (const OpKey &key : profile.opKeys)
    texts.push_back(describe(key));
  return texts;
}

using Texts = std::vector<std::string>;

} // namespace

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

TEST(Onnx, NamesTellWithoutTheOptimizedModel) {
  Profile profile = measure({makeKey("conv"), makeKey("Relu_1"), makeKey("z")});
  std::string original =
      model(node("conv", "Conv", "xw", "a") + node("", "Relu", "a", "b") +
            node("", "Relu", "b", "y"));
  EXPECT_EQ(join(profile, original),
            (Texts{"name conv", "name Relu#0/2", "unknown"}));
}

/// Conv absorbs the normalization and keeps its name; weights that were
/// computed before belong to it.
TEST(Onnx, AFusionBehindAnUnchangedName) {
  Profile profile = measure({makeKey("conv"), makeKey("relu")});
  std::string original = model(
      node("copy", "Identity", "v", "s") + node("conv", "Conv", "xw", "a") +
      node("norm", "BatchNormalization", "as", "b") +
      node("k", "Constant", "", "c") + node("relu", "Relu", "bc", "y"));
  std::string optimized =
      model(node("conv", "Conv", "xW", "b") + node("relu", "Relu", "bc", "y"));
  EXPECT_EQ(join(profile, original, optimized),
            (Texts{"whole copy conv norm", "whole relu"}));
}

/// Values unique to the optimized graph connect its nodes; names divide the
/// shared work, and nodes without names are helpers.
TEST(Onnx, AClusterIsDividedByNames) {
  Profile profile = measure({makeKey("p/Conv"), makeKey("b_nchwc"),
                             makeKey("q/Pool/Fused"), makeKey("Reorder")});
  std::string original = model(
      node("p/Conv", "Conv", "xw", "a") + node("p/Relu", "Relu", "a", "b") +
      node("q/Pool", "MaxPool", "b", "c") + node("e", "Exp", "c", "y"));
  std::string optimized = model(node("b_nchwc", "Conv", "xw", "1") +
                                node("q/Pool/Fused", "MaxPool", "1", "2") +
                                node("Reorder", "ReorderOutput", "2", "c") +
                                node("e", "Exp", "c", "y"));
  EXPECT_EQ(join(profile, original, optimized),
            (Texts{"unknown", "whole p/Conv p/Relu", "whole q/Pool",
                   "part p/Conv p/Relu q/Pool"}));
}

/// The only node with a name owns all: helpers around it are parts of it.
TEST(Onnx, OneNameOwnsItsCluster) {
  Profile profile = measure({makeKey("in"), makeKey("m/Fused")});
  std::string original =
      model(node("t", "Transpose", "w", "a") + node("m", "MatMul", "xa", "b") +
            node("add", "Add", "bv", "y"));
  std::string optimized = model(node("in", "Reshape", "xs", "1") +
                                node("m/Fused", "Gemm", "1wv", "y"));
  EXPECT_EQ(join(profile, original, optimized),
            (Texts{"part t m add", "whole t m add"}));
}

TEST(Onnx, TheOptimizersOwn) {
  Profile profile = measure({makeKey("cast")});
  std::string original = model(node("e", "Exp", "x", "y"));
  std::string optimized =
      model(node("e", "Exp", "x", "y") + node("cast", "Cast", "y", "1"));
  EXPECT_EQ(join(profile, original, optimized), (Texts{"whole"}));
}

/// ONNX Runtime identifies nameless nodes by positions, which differ in the
/// file that it wrote.
TEST(Onnx, NamelessNodesAreFoundByTheirResults) {
  Profile profile = measure({makeKey("Exp_2"), makeKey("Exp_0")});
  std::string original =
      model(node("", "Exp", "x", "a") + node("", "Identity", "a", "b") +
            node("", "Exp", "b", "y"));
  std::string optimized =
      model(node("", "Exp", "x", "a") + node("", "Exp", "a", "y"));
  EXPECT_EQ(join(profile, original, optimized),
            (Texts{"whole Identity#0/1 Exp#1/2", "whole Exp#0/2"}));
}

/// Graphs within nodes are joined each by itself.
TEST(Onnx, NodesInNodes) {
  auto branch = [](const char *value) {
    return node("n", "Tanh", "x", value) + node("r", "Relu", value, "z");
  };
  auto fused = [] { return node("n", "TanhRelu", "x", "z"); };
  std::string original = model(node("n", "Exp", "x", "c") +
                               node("if", "If", "c", "y",
                                    inner("then_branch", branch("p")) +
                                        inner("else_branch", branch("q"))));
  std::string optimized = model(
      node("n", "Exp", "x", "c") +
      node("if", "If", "c", "y",
           inner("then_branch", fused()) + inner("else_branch", fused())));
  Profile profile = measure({makeKey("n"), makeKey("n", {"if"}), makeKey("if"),
                             makeKey("n", {"other"})});
  EXPECT_EQ(join(profile, original, optimized),
            (Texts{"whole n", "whole n r", "whole if", "unknown"}));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Weights are skipped, wherever they are; accompanying files are not opened.
TEST(Onnx, WeightsAreNotRead) {
  std::string external =
      field(8, "w") + field(13, field(1, "location") + field(2, "/gone"));
  std::string weights =
      field(5, field(8, "v") + field(9, std::string(1 << 20, '\xff'))) +
      field(5, external);
  Profile profile = measure({makeKey("e")});
  EXPECT_EQ(join(profile, model(weights + node("e", "Exp", "x", "y"))),
            (Texts{"name e"}));
}

TEST(Onnx, FilesThatAreNoModels) {
  auto fails = [](const std::string &bytes) {
    Profile profile = measure({makeKey("e")});
    return join(profile, bytes).front();
  };
  std::string good = model(node("e", "Exp", "x", "y"));
  EXPECT_NE(fails(good.substr(0, good.size() - 1)).find("was cut off"),
            std::string::npos);
  EXPECT_NE(fails("\x0f text").find("is not an ONNX model"), std::string::npos);
  EXPECT_NE(fails(field(1, "pytorch")).find("does not contain nodes"),
            std::string::npos);
  EXPECT_NE(fails(model(node("z", "Exp", "x", "y")))
                .find("does not contain any of the"),
            std::string::npos);
  std::string deep = node("e", "Exp", "x", "y");
  for (int i = 0; i < 1000; ++i)
    deep = node("if", "If", "c", "y", inner("body", deep));
  EXPECT_NE(fails(model(deep)).find("too deeply"), std::string::npos);
}

TEST(Onnx, ProfilesOfOthers) {
  Profile profile;
  profile.opKeys.emplace_back();
  EXPECT_NE(join(profile, model(node("e", "Exp", "x", "y")))
                .front()
                .find("no node of an ONNX model was measured"),
            std::string::npos);
}
