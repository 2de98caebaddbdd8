//===- onednn.cpp - Matrix products and convolutions by oneDNN ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// The time of a model's matrix products and convolutions alone:
///
///   onednn request STEP... [request STEP...] trace INDEX...
///
/// where a STEP is gemm:TYPE:BATCH:M:N:K:CONSTANT, the right operand packed
/// when CONSTANT is 1, or
/// conv:TYPE:BATCH:HEIGHT:WIDTH:CHANNELS-IN:CHANNELS-OUT: KERNEL:STRIDE:GROUPS,
/// of blocked layouts that oneDNN chooses. Types are f32, bf16 (into f32) and
/// i8 (into i32). A pass runs the requests with the listed INDEX. The protocol
/// is that of serve.py.
///
//===----------------------------------------------------------------------===//

#include <oneapi/dnnl/dnnl.hpp>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

using dnnl::memory;
using Numbers = std::vector<memory::dim>;
using Tag = memory::format_tag;

namespace {
struct Step {
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
};
using Request = std::vector<Step>;
} // namespace

static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
static dnnl::stream stream(engine);

/// The third version does not have operation descriptors anymore.
template <typename Primitive, typename... Arguments>
static typename Primitive::primitive_desc describe(Arguments... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return typename Primitive::primitive_desc(engine, arguments...);
#else
  return typename Primitive::primitive_desc(
      typename Primitive::desc(arguments...), engine);
#endif
}

namespace {
/// Types of operands and of results.
struct Types {
  memory::data_type operand, result;
};
} // namespace

static Types parseTypes(const std::string &name) {
  using Type = memory::data_type;
  if (name == "i8")
    return {Type::s8, Type::s32};
  return {name == "bf16" ? Type::bf16 : Type::f32, Type::f32};
}

static memory makeFilled(const memory::desc &desc) {
  memory filled(desc, engine);
  // Small numbers, in any of the types.
  auto *bytes = static_cast<unsigned char *>(filled.get_data_handle());
  for (size_t i = 0; i < desc.get_size(); ++i)
    bytes[i] = 0x3d;
  return filled;
}

template <typename Primitive>
static Step makeStep(const typename Primitive::primitive_desc &description) {
  return {Primitive(description),
          {{DNNL_ARG_SRC, makeFilled(description.src_desc())},
           {DNNL_ARG_WEIGHTS, makeFilled(description.weights_desc())},
           {DNNL_ARG_DST, memory(description.dst_desc(), engine)}}};
}

/// `n` is batch, m, n, k and whether the right operand is constant.
static Step makeGemm(Types types, const Numbers &n) {
  Numbers left{n[1], n[3]}, right{n[3], n[2]}, result{n[1], n[2]};
  Tag tag = Tag::ab;
  if (n[0] > 1) {
    for (Numbers *shape : {&left, &right, &result})
      shape->insert(shape->begin(), n[0]);
    tag = Tag::abc;
  }
  return makeStep<dnnl::matmul>(describe<dnnl::matmul>(
      memory::desc(left, types.operand, tag),
      memory::desc(right, types.operand, n[4] ? Tag::any : tag),
      memory::desc(result, types.result, tag)));
}

/// `n` is batch, height, width, channels in and out, kernel, stride and groups.
static Step makeConvolution(Types types, const Numbers &n) {
  memory::dim kernel = n[5], stride = n[6], groups = n[7];
  memory::dim before = (kernel - 1) / 2;
  Numbers sizes, after;
  for (memory::dim size : {n[1], n[2]}) {
    sizes.push_back((size + stride - 1) / stride);
    // The part of the last window beyond the image.
    after.push_back((sizes.back() - 1) * stride + kernel - size - before);
  }
  Numbers weights{n[4], n[3], kernel, kernel};
  if (groups > 1)
    weights = {groups, n[4] / groups, n[3] / groups, kernel, kernel};
  return makeStep<dnnl::convolution_forward>(
      describe<dnnl::convolution_forward>(
          dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_auto,
          memory::desc({n[0], n[3], n[1], n[2]}, types.operand, Tag::any),
          memory::desc(weights, types.operand, Tag::any),
          memory::desc({n[0], n[4], sizes[0], sizes[1]}, types.result,
                       Tag::any),
          Numbers{stride, stride}, Numbers{before, before}, after));
}

static Step parseStep(const std::string &text) {
  std::istringstream fields(text);
  std::string kind, type;
  std::getline(fields, kind, ':');
  std::getline(fields, type, ':');
  Numbers numbers;
  for (std::string field; std::getline(fields, field, ':');)
    numbers.push_back(std::stol(field));
  numbers.resize(8);
  return kind == "gemm" ? makeGemm(parseTypes(type), numbers)
                        : makeConvolution(parseTypes(type), numbers);
}

static void run(Request &request) {
  for (Step &step : request)
    step.primitive.execute(stream, step.arguments);
  stream.wait();
}

static int64_t getTimeNs() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

static void takeTurn(std::vector<Request> &requests,
                     const std::vector<size_t> &trace, double seconds) {
  int64_t end = getTimeNs() + int64_t(seconds * 1e9), now = 0;
  std::string times;
  do {
    int64_t begin = getTimeNs();
    for (size_t index : trace)
      run(requests[index]);
    now = getTimeNs();
    times += (times.empty() ? "" : ", ") +
             std::to_string(double(now - begin) / double(trace.size()));
  } while (now < end);
  std::printf("{\"ns\": [%s], \"idle\": 0}\n", times.c_str());
  std::fflush(stdout);
}

int main(int argc, char **argv) {
  std::vector<Request> requests;
  std::vector<size_t> trace;
  int i = 1;
  for (; i < argc && std::string(argv[i]) != "trace"; ++i) {
    if (std::string(argv[i]) == "request")
      requests.emplace_back();
    else
      requests.back().push_back(parseStep(argv[i]));
  }
  for (++i; i < argc; ++i)
    trace.push_back(std::stoul(argv[i]));
  for (int round = 0; round < 10; ++round)
    for (Request &request : requests)
      run(request);
  const dnnl_version_t *version = dnnl_version();
  std::printf("{\"version\": \"%d.%d.%d\", \"error\": null}\n", version->major,
              version->minor, version->patch);
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);)
    takeTurn(requests, trace, std::stod(line));
}
