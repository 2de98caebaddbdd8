//===- SmallBatches.cpp - Matrix products with few rows -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Words.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Share of the ops' time, of all such products together: a decoder has many,
/// and none of them is hot.
static constexpr int64_t kHotPpm = 50000;
/// Number of rows up to which reading the weights bounds a product: with more,
/// a core computes longer than it reads.
static constexpr int64_t kSmallBatch = 4;
/// Rows that share one pass over the weights at almost no cost; the gain is the
/// difference in the cost of a row.
static constexpr int64_t kGoodBatch = 8;
/// Ratio of the weights to all other elements: above it, most moved bytes are
/// weights.
static constexpr int64_t kDominates = 4;

namespace {
struct Product {
  int64_t rows = 0;
  int64_t weights = 0;
  int64_t others = 0;
};
using Dimensions = std::vector<int64_t>;
} // namespace

/// The number of elements; none if a dimension is unknown or the number
/// overflows.
static std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size <= 0 || __builtin_mul_overflow(count, size, &count) ||
        count > (int64_t(1) << 40))
      return std::nullopt;
  return count;
}

/// The product of `left` (rows, and the dimension summed over, of `depth`
/// elements) and `right`, the weights.
static std::optional<Product> makeProduct(llvm::ArrayRef<int64_t> left,
                                          llvm::ArrayRef<int64_t> right,
                                          int64_t depth) {
  auto leftCount = countElements(left), rightCount = countElements(right);
  if (!leftCount || !rightCount || depth <= 0 || *leftCount % depth != 0 ||
      *rightCount % depth != 0)
    return std::nullopt;
  int64_t rows = *leftCount / depth, columns = *rightCount / depth;
  // The smaller size is the batch, on whichever side the weights are.
  if (rows > columns) {
    std::swap(rows, columns);
    std::swap(leftCount, rightCount);
  }
  int64_t results = 0;
  if (__builtin_mul_overflow(rows, columns, &results) ||
      __builtin_add_overflow(results, *leftCount, &results))
    return std::nullopt;
  return Product{rows, *rightCount, results};
}

/// The only `dot` in the instruction.
static std::optional<Product> getHloProduct(const HloIndex &index,
                                            uint32_t instruction) {
  const HloModule &module = index.getModule();
  uint32_t dot = kNone;
  for (uint32_t member : index.getMembers(instruction)) {
    if (module.instructions[member].opcode != "dot")
      continue;
    if (dot != kNone)
      return std::nullopt;
    dot = member;
  }
  if (dot == kNone || module.instructions[dot].operandIds.size() != 2)
    return std::nullopt;
  uint32_t left = index.findId(module.instructions[dot].operandIds[0]);
  uint32_t right = index.findId(module.instructions[dot].operandIds[1]);
  if (left == kNone || right == kNone)
    return std::nullopt;
  const Dimensions &leftShape = module.instructions[left].shape.dimensions;
  const Dimensions &rightShape = module.instructions[right].shape.dimensions;
  // More dimensions are batches of products, each with separate weights.
  if (rightShape.size() != 2 || leftShape.size() < 2)
    return std::nullopt;
  int64_t depth = 1;
  for (int64_t at : module.instructions[dot].lhsContractingDimensions) {
    if (at < 0 || size_t(at) >= leftShape.size() || leftShape[at] <= 0 ||
        __builtin_mul_overflow(depth, leftShape[at], &depth))
      return std::nullopt;
  }
  return makeProduct(leftShape, rightShape, depth);
}

/// The product of a Gemm of ONNX Runtime, which packs its initializers when it
/// loads the model, so that its recorded inputs lack the weights: the bias has
/// an element for each of their columns.
static std::optional<Product> getPackedProduct(const KeyTraits &traits) {
  std::vector<Dimensions> shapes = traits.shapes->getTensors();
  if (traits.isCall || shapes.size() != 2 || shapes[0].size() != 2 ||
      shapes[1].size() != 1 || !traits.kernel.contains("Gemm"))
    return std::nullopt;
  int64_t depth = shapes[0][1];
  return makeProduct(shapes[0], {depth, shapes[1][0]}, depth);
}

static std::optional<Product> getCallProduct(const KeyTraits &traits) {
  static constexpr llvm::StringLiteral kWords[] = {"mm",     "addmm", "matmul",
                                                   "linear", "gemm",  "dense"};
  if (!traits.hasShapes() || (!hasWord(traits.opType, kWords) &&
                              !traits.opType.contains_insensitive("matmul")))
    return std::nullopt;
  if (std::optional<Product> product = getPackedProduct(traits))
    return product;
  std::vector<Dimensions> shapes = traits.shapes->getTensors(/*leastRank=*/2);
  if (shapes.size() < 2 || shapes[1].size() != 2)
    return std::nullopt;
  return makeProduct(shapes[0], shapes[1], shapes[0].back());
}

/// The rows of a product whose batch the module does not know, by counted
/// executions: operations are twice the multiplied elements.
static std::optional<int64_t> getRows(const AdviseContext &context, uint32_t op,
                                      int64_t other, int64_t depth) {
  int64_t each = 0;
  if (__builtin_mul_overflow(other, depth, &each) || each <= 0 ||
      __builtin_mul_overflow(each, int64_t(2), &each))
    return std::nullopt;
  const Program &program = context.profile.programs.front();
  std::optional<int64_t> rows;
  for (const Run &run : context.profile.runs)
    for (const NodeWork &work : run.work) {
      bool isOp = work.program == program.fingerprint &&
                  work.node < program.nodes.size() &&
                  program.nodes[work.node].level == 0 &&
                  program.nodes[work.node].position == op;
      // The run with the largest batches counts: its products may have nothing
      // to gain.
      if (isOp)
        rows = std::max(rows.value_or(0), int64_t(work.flops / uint64_t(each)));
    }
  return rows;
}

/// Time of the operations of a recorded op at the machine's peak; 0 if unknown.
static int64_t getLeastPs(const AdviseContext &context, uint32_t op) {
  constexpr int64_t kPsPerSecond = 1000000000000;
  const Program &program = context.profile.programs.front();
  int64_t sumPs = 0;
  for (const Run &run : context.profile.runs)
    for (const NodeWork &work : run.work) {
      // The peak of one thread: times of several add up.
      auto peak =
          int64_t(std::min<uint64_t>(run.machine.flopsOneThread, INT64_MAX));
      bool isOp = work.program == program.fingerprint &&
                  work.node < program.nodes.size() &&
                  program.nodes[work.node].level == 0 &&
                  program.nodes[work.node].position == op;
      if (!isOp || peak <= 0)
        continue;
      auto flops = int64_t(std::min<uint64_t>(work.flops, INT64_MAX));
      auto iterations =
          int64_t(std::min<uint64_t>(run.iterations.count, INT64_MAX));
      sumPs = saturatingAdd(
          sumPs, scale(scale(flops, kPsPerSecond, peak), iterations, 1));
    }
  return sumPs;
}

/// The product of an op of a model recorded by `mlir-prof record`.
static std::optional<Product> getOwnProduct(const AdviseContext &context,
                                            MatrixProduct sizes) {
  if (!sizes.depth)
    return std::nullopt;
  if (!sizes.rows && sizes.columns)
    sizes.rows = getRows(context, sizes.op, *sizes.columns, *sizes.depth);
  else if (!sizes.columns && sizes.rows)
    sizes.columns = getRows(context, sizes.op, *sizes.rows, *sizes.depth);
  if (!sizes.rows || !sizes.columns)
    return std::nullopt;
  return makeProduct({*sizes.rows, *sizes.depth},
                     {*sizes.depth, *sizes.columns}, *sizes.depth);
}

namespace {
/// The products with few rows, summed up.
struct SmallProducts {
  std::vector<Subject> subjects;
  int64_t timePs = 0;
  int64_t gainPs = 0;
  int64_t rows = 0;
  int64_t weights = 0;
  int64_t others = 0;
  /// Whether any product was examined.
  bool hasProducts = false;

  void consider(Subject subject, const Product &product, int64_t leastPs = 0);
};
} // namespace

/// Adds a product that spends its time on weights. Computing its present rows
/// takes `leastPs`, however many there are.
void SmallProducts::consider(Subject subject, const Product &product,
                             int64_t leastPs) {
  hasProducts = true;
  if (product.rows > kSmallBatch ||
      product.weights / kDominates < product.others || subject.timePs <= 0)
    return;
  timePs = saturatingAdd(timePs, subject.timePs);
  int64_t afterPs = std::max(scale(subject.timePs, product.rows, kGoodBatch),
                             std::min(leastPs, subject.timePs));
  gainPs = saturatingAdd(gainPs, subject.timePs - afterPs);
  rows = std::max(rows, product.rows);
  weights = saturatingAdd(weights, product.weights);
  others = saturatingAdd(others, product.others);
  subjects.push_back(std::move(subject));
}

/// Op keys of recordings by `mlir-prof record` lack shapes; the module has
/// them.
static void findOwn(const AdviseContext &context, SmallProducts &products) {
  const ReportInput &report = context.input.report;
  if (context.profile.programs.size() != 1 || !report.ownership ||
      !report.attribution)
    return;
  for (const MatrixProduct &sizes : context.input.products) {
    if (sizes.op >= report.attribution->ops.size() ||
        sizes.op >= report.ownership->ops.size())
      continue;
    const MlirOp &op = report.ownership->ops[sizes.op];
    Subject subject{op.op, getPlace(op).str(),
                    report.attribution->ops[sizes.op].totalPs()};
    if (std::optional<Product> product = getOwnProduct(context, sizes))
      products.consider(std::move(subject), *product,
                        getLeastPs(context, sizes.op));
  }
}

static Findings find(const AdviseContext &context) {
  SmallProducts products;
  for (const OpSummary &op : context.merged) {
    auto [index, instruction] = context.findInstruction(op);
    std::optional<Product> product =
        index ? getHloProduct(*index, instruction)
              : getCallProduct(context.getTraits(op));
    if (product)
      products.consider(context.getSubject(op), *product);
  }
  findOwn(context, products);
  if (!products.hasProducts)
    return std::nullopt;
  std::vector<Advice> findings;
  if (!context.isShareOfOps(products.timePs, kHotPpm))
    return findings;
  Advice advice = context.makeAdvice(products.gainPs);
  advice.subjects = std::move(products.subjects);
  addTime(advice, "time_ps", products.timePs);
  addPpm(advice, "share_ppm", getPpm(products.timePs, context.opTimePs));
  addCount(advice, "rows", uint64_t(products.rows));
  addCount(advice, "good_rows", uint64_t(kGoodBatch));
  addCount(advice, "weights", uint64_t(products.weights));
  addCount(advice, "others", uint64_t(products.others));
  keepHottest(advice);
  findings.push_back(std::move(advice));
  return findings;
}

AdviceRule rule::SmallBatches() {
  return {"small-batch",
          "matrix products with few rows spend their time reading the weights",
          "products with known shapes (XLA, PyTorch with record_shapes, ONNX "
          "Runtime, mlir-prof record)",
          "{ops} products of up to {rows} rows take {time_ps} ({share_ppm} of "
          "the ops' time) and read {weights} elements of weights and "
          "{others} other elements",
          "Batch requests: {good_rows} rows share one pass over the weights. "
          "Or make the weights smaller (half precision, int8).",
          "habit_sum",
          "the sum over all products with few rows of each op's calls, without "
          "time that does not recur",
          "mlir-prof report {PROFILE} --by=measured-op --top=20",
          find};
}
