//===- OddWindows.cpp - Convolutions and poolings of odd shapes -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OddModel.h"

using namespace mlirprof;
using namespace mlirprof::test;

namespace {
/// The sizes common to all windows.
struct Window {
  explicit Window(OddWriter &writer);

  unsigned addOutput(OddWriter &writer, unsigned dim) const {
    int64_t size = writer.getSize(dim) - (kernel - 1) * dilation - 1;
    return writer.addDim(size / stride + 1);
  }
  /// The attributes of an op with `count` spatial dimensions.
  std::string getAttributes(int count) const {
    std::string type = " : tensor<" + std::to_string(count) + "xi64>";
    return " {strides = dense<" + std::to_string(stride) + ">" + type +
           ", dilations = dense<" + std::to_string(dilation) + ">" + type + "}";
  }

  int64_t kernel, stride, dilation;
  unsigned n, h, w, c, f, kh, kw, oh, ow;
};
} // namespace

Window::Window(OddWriter &writer) {
  kernel = 1 + writer.draw(3);
  stride = 1 + writer.draw(3);
  dilation = 1 + writer.draw(2);
  n = writer.addDim(1 + writer.draw(3), writer.draw(3) == 0);
  h = writer.addDim(writer.pick<int64_t>({7, 9, 12, 20}));
  w = writer.addDim(writer.pick<int64_t>({7, 13, 19, 37}));
  c = writer.addDim(writer.pick<int64_t>({1, 3, 8, 17}));
  f = writer.addDim(writer.pick<int64_t>({1, 5, 16, 33, 100}));
  kh = writer.addDim(kernel);
  kw = writer.addDim(kernel);
  oh = addOutput(writer, h);
  ow = addOutput(writer, w);
}

void test::writeConvolution(OddWriter &writer) {
  Window x(writer);
  struct Kind {
    const char *op;
    std::vector<unsigned> image, filter, result;
    int space = 2;
  };
  unsigned g = writer.addDim(1 + writer.draw(3));
  auto kind = writer.pick<Kind>({
      {"conv_2d_nhwc_hwcf",
       {x.n, x.h, x.w, x.c},
       {x.kh, x.kw, x.c, x.f},
       {x.n, x.oh, x.ow, x.f}},
      {"conv_2d_nhwc_fhwc",
       {x.n, x.h, x.w, x.c},
       {x.f, x.kh, x.kw, x.c},
       {x.n, x.oh, x.ow, x.f}},
      {"conv_2d_nchw_fchw",
       {x.n, x.c, x.h, x.w},
       {x.f, x.c, x.kh, x.kw},
       {x.n, x.f, x.oh, x.ow}},
      {"conv_2d_ngchw_gfchw",
       {x.n, g, x.c, x.h, x.w},
       {g, x.f, x.c, x.kh, x.kw},
       {x.n, g, x.f, x.oh, x.ow}},
      {"depthwise_conv_2d_nhwc_hwc",
       {x.n, x.h, x.w, x.f},
       {x.kh, x.kw, x.f},
       {x.n, x.oh, x.ow, x.f}},
      {"depthwise_conv_2d_nchw_chw",
       {x.n, x.f, x.h, x.w},
       {x.f, x.kh, x.kw},
       {x.n, x.f, x.oh, x.ow}},
      {"conv_1d_nwc_wcf",
       {x.n, x.w, x.c},
       {x.kw, x.c, x.f},
       {x.n, x.ow, x.f},
       1},
      {"conv_1d_ncw_fcw",
       {x.n, x.c, x.w},
       {x.f, x.c, x.kw},
       {x.n, x.f, x.ow},
       1},
  });
  using Types = std::pair<std::string, std::string>;
  auto [from, to] = writer.pick<Types>({{"f32", "f32"},
                                        {"f32", "f32"},
                                        {"f64", "f64"},
                                        {"f16", "f32"},
                                        {"i8", "i32"}});
  OddTensor image = writer.addArgument(kind.image, from),
            filter = writer.addArgument(kind.filter, from);
  writer.addResult(
      writer.addNamed(kind.op + x.getAttributes(kind.space), {image, filter},
                      writer.addFill(kind.result, to, getZero(to))));
}

void test::writePooling(OddWriter &writer) {
  Window x(writer);
  bool isLast = writer.flip();
  std::string op = writer.pick<std::string>({"max", "sum", "min"});
  if (!isLast && op == "min")
    op = "max";
  std::string element = writer.pick<std::string>({"f32", "f64", "i32"});
  std::string start = op == "sum"        ? getZero(element)
                      : element == "i32" ? (op == "max" ? "-99" : "99")
                      : op == "max"      ? "-99.0"
                                         : "99.0";
  std::vector<unsigned> image = {x.n, x.h, x.w, x.f},
                        result = {x.n, x.oh, x.ow, x.f};
  if (!isLast)
    image = {x.n, x.f, x.h, x.w}, result = {x.n, x.f, x.oh, x.ow};
  OddTensor input = writer.addArgument(image, element);
  OddTensor window = writer.addEmpty({x.kh, x.kw}, element);
  writer.addResult(
      writer.addNamed(std::string("pooling_") + (isLast ? "nhwc_" : "nchw_") +
                          op + x.getAttributes(2),
                      {input, window}, writer.addFill(result, element, start)));
}

/// Pixels of `size` in a space of zeros.
static unsigned addSpread(OddWriter &writer, int64_t size, int64_t kernel,
                          int64_t stride, int64_t offset) {
  int64_t least = offset + (size - 1) * stride + 1;
  return writer.addDim(std::max<int64_t>(least + writer.draw(3), kernel));
}

void test::writeTransposed(OddWriter &writer) {
  int64_t kernel[2], stride[2], offset[2];
  unsigned pixels[2], spread[2], taps[2], result[2];
  bool isPixel = writer.draw(3) == 0;
  for (int i = 0; i < 2; ++i) {
    kernel[i] = 1 + writer.draw(5);
    stride[i] = 1 + writer.draw(3);
    offset[i] = writer.draw(5);
    if (isPixel) {
      // All results meet it.
      int64_t results = 1 + writer.draw(kernel[i]);
      offset[i] = results - 1 + writer.draw(kernel[i] - results + 1);
      pixels[i] = writer.addDim(1);
      spread[i] = writer.addDim(kernel[i] + results - 1);
    } else {
      pixels[i] = writer.addDim(writer.pick<int64_t>({1, 4, 7, 18}));
      spread[i] = addSpread(writer, writer.getSize(pixels[i]), kernel[i],
                            stride[i], offset[i]);
    }
    taps[i] = writer.addDim(kernel[i]);
    result[i] = writer.addDim(writer.getSize(spread[i]) - kernel[i] + 1);
  }
  unsigned n = writer.addDim(1 + writer.draw(2)),
           c = writer.addDim(writer.pick<int64_t>({1, 3, 17})),
           f = writer.addDim(writer.pick<int64_t>({1, 5, 33}));
  bool isLast = writer.flip();
  auto getImage = [&](const unsigned *space) {
    return isLast ? std::vector<unsigned>{n, space[0], space[1], c}
                  : std::vector<unsigned>{n, c, space[0], space[1]};
  };
  using Types = std::pair<std::string, std::string>;
  auto [from, to] =
      writer.pick<Types>({{"f32", "f32"}, {"f64", "f64"}, {"i8", "i32"}});
  OddTensor image = writer.addArgument(getImage(pixels), from);
  std::vector<unsigned> filterShape{taps[0], taps[1], c, f};
  if (!isLast)
    filterShape = {f, c, taps[0], taps[1]};
  OddTensor filter = writer.flip() ? writer.addArgument(filterShape, from)
                                   : writer.addWeights(filterShape, from);
  std::vector<unsigned> shape{n, result[0], result[1], f};
  if (!isLast)
    shape = {n, f, result[0], result[1]};
  OddTensor init = writer.flip() ? writer.addFill(shape, to, getZero(to))
                                 : writer.addArgument(shape, to);
  OddTensor zeros = writer.addFill(getImage(spread), from, getZero(from));
  OddTensor spreadImage = zeros;
  spreadImage.name = writer.newName();
  auto list = [&](int64_t outer, int64_t row, int64_t column) {
    std::string space = std::to_string(row) + ", " + std::to_string(column),
                other = std::to_string(outer);
    return isLast ? "[" + other + ", " + space + ", " + other + "]"
                  : "[" + other + ", " + other + ", " + space + "]";
  };
  std::string sizes;
  for (unsigned dim : image.dims)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(writer.getSize(dim));
  writer.add(spreadImage.name + " = tensor.insert_slice " + image.name +
             " into " + zeros.name + list(0, offset[0], offset[1]) + " [" +
             sizes + "] " + list(1, stride[0], stride[1]) + " : " +
             writer.getType(image) + " into " + writer.getType(zeros));
  writer.addResult(
      writer.addNamed(isLast ? "conv_2d_nhwc_hwcf" : "conv_2d_nchw_fchw",
                      {spreadImage, filter}, init));
}
