//===- Proto.cpp - Protobufs of TensorFlow Lite's benchmarks --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/WireProbe.h"
#include "../Importers.h"
#include "TfLite.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tflite;
using namespace mlirprof::profile;

// The messages are few and small, so stepping through fields suffices:
//   BenchmarkProfilingData { model_name = 1, init_profile = 2,
//                            runtime_profile = 3 }
//   ModelProfilingData { subgraph_profiles = 1, delegate_profiles = 2 }
//   SubGraphProfilingData { subgraph_name = 1, subgraph_index = 2,
//                           per_op_profiles = 3 }
//   DelegateProfilingData { delegate_name = 1, per_op_profiles = 2 }
//   OpProfileData { node_type = 1, inference_microseconds = 2, mem_kb = 3,
//                   times_called = 4, name = 5, run_order = 6 }
//   OpProfilingStat { first = 1, last = 2, avg = 3, stddev = 4, variance = 5,
//                     min = 6, max = 7, sum = 8, count = 9 }

using Type = WireProbe::Type;

/// The first field of `bytes` with this number and type; empty if there is
/// none.
static llvm::StringRef findBytes(llvm::StringRef bytes, uint64_t number) {
  WireProbe probe(bytes);
  while (probe.next())
    if (probe.is(number, Type::Bytes))
      return probe.bytes();
  return "";
}

static bool detect(llvm::StringRef bytes) {
  // A name and two parts: in large files of other formats this examines only
  // the first few fields.
  WireProbe probe(bytes);
  for (unsigned fields = 0; probe.next(); ++fields)
    if (fields == 3 || probe.number() > 3 || probe.type() != Type::Bytes)
      return false;
  // Down to the type of the first node and its statistics, a nesting unique to
  // this format.
  for (uint64_t part : {3, 2}) {
    llvm::StringRef graph = findBytes(findBytes(bytes, part), 1);
    llvm::StringRef node = findBytes(graph, 3);
    WireProbe statistics(findBytes(node, 2));
    if (!findBytes(node, 1).empty() && statistics.next() &&
        statistics.type() == Type::Varint)
      return true;
  }
  return false;
}

namespace {

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), nodes(builder) {}
  llvm::Error read();

private:
  llvm::Error fail(llvm::StringRef bytes, const llvm::Twine &what) const {
    return inputError(input.where + ": byte " +
                          llvm::Twine(bytes.data() - input.bytes.data()),
                      what,
                      "The file is not a BenchmarkProfilingData of TensorFlow "
                      "Lite, or was cut off.");
  }
  llvm::Error check(const WireProbe &probe, llvm::StringRef bytes) const {
    if (probe.isCut() || probe.isBroken())
      return fail(bytes, "a message does not end where it should");
    return llvm::Error::success();
  }
  llvm::Error readModel(llvm::StringRef bytes, Part part);
  llvm::Error readGraph(llvm::StringRef bytes, Part part, bool isDelegate);
  llvm::Error readNode(llvm::StringRef bytes, Node node);
  llvm::Error readStatistics(llvm::StringRef bytes, Summary &summary);

  const ImportInput &input;
  ProfileBuilder &builder;
  Nodes nodes;
};

} // namespace

/// Microseconds to picoseconds; false when negative or too large.
static bool toPs(uint64_t microseconds, int64_t &ps) {
  return int64_t(microseconds) >= 0 &&
         !__builtin_mul_overflow(int64_t(microseconds), int64_t(1000000), &ps);
}

llvm::Error Reader::readStatistics(llvm::StringRef bytes, Summary &summary) {
  int64_t values[10] = {};
  WireProbe probe(bytes);
  while (probe.next())
    if (probe.type() == Type::Varint && probe.number() < 9 &&
        !toPs(probe.value(), values[probe.number()]))
      return fail(bytes, "a time is negative or too large");
    else if (probe.is(9, Type::Varint))
      values[9] = int64_t(probe.value());
  if (llvm::Error error = check(probe, bytes))
    return error;
  if (values[9] < 0 || values[9] >> 48)
    return fail(bytes, "a count is negative or too large");
  summary = table::makeEvenSummary(uint64_t(values[9]), values[8]);
  if (summary.count && values[6] <= summary.min && summary.max <= values[7]) {
    summary.min = values[6];
    summary.max = values[7];
  }
  return llvm::Error::success();
}

llvm::Error Reader::readNode(llvm::StringRef bytes, Node node) {
  WireProbe probe(bytes);
  while (probe.next()) {
    if (probe.is(1, Type::Bytes))
      node.type += probe.bytes().str();
    else if (probe.is(5, Type::Bytes))
      node.name = probe.bytes().str();
    else if (probe.is(2, Type::Bytes))
      if (llvm::Error error = readStatistics(probe.bytes(), node.execute))
        return error;
  }
  if (llvm::Error error = check(probe, bytes))
    return error;
  if (node.execute.count)
    nodes.add(std::move(node));
  else
    builder.loss("nodes that were not measured", 1, 0);
  return llvm::Error::success();
}

llvm::Error Reader::readGraph(llvm::StringRef bytes, Part part,
                              bool isDelegate) {
  Node node;
  node.part = part;
  // Names and numbers may follow the nodes.
  WireProbe first(bytes);
  while (first.next())
    if (first.is(2, Type::Varint) && !isDelegate)
      node.subgraph = uint32_t(first.value());
  if (llvm::Error error = check(first, bytes))
    return error;
  if (isDelegate)
    node.type = "DelegateOpInvoke/";
  WireProbe probe(bytes);
  while (probe.next())
    if (probe.is(isDelegate ? 2 : 3, Type::Bytes))
      if (llvm::Error error = readNode(probe.bytes(), node))
        return error;
  return llvm::Error::success();
}

llvm::Error Reader::readModel(llvm::StringRef bytes, Part part) {
  WireProbe probe(bytes);
  while (probe.next())
    if (probe.is(1, Type::Bytes) || probe.is(2, Type::Bytes))
      if (llvm::Error error =
              readGraph(probe.bytes(), part, probe.number() == 2))
        return error;
  return check(probe, bytes);
}

llvm::Error Reader::read() {
  WireProbe probe(input.bytes);
  while (probe.next()) {
    if (probe.is(1, Type::Bytes))
      builder.getRun().facts.emplace_back("model", probe.bytes().str());
    else if (probe.is(2, Type::Bytes) || probe.is(3, Type::Bytes))
      if (llvm::Error error = readModel(
              probe.bytes(),
              probe.number() == 2 ? Part::Initialization : Part::Runs))
        return error;
  }
  if (llvm::Error error = check(probe, input.bytes))
    return error;
  if (nodes.size() == 0)
    return fail(input.bytes, "it does not contain a node");
  nodes.finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::TfLiteProto() {
  Importer importer{"tflite-proto",
                    "protobuf of TensorFlow Lite's benchmark_model", detect,
                    read};
  importer.sharesBeginning = true;
  return importer;
}
