//===- ScheduleWriter.cpp - A schedule as text ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The script runs in phases, each over all ops: tiling, what is left of the
// reductions, canonicalization (only now have the tiles of peeled loops static
// shapes), vectorization. An op is told from the next phase by an attribute
// that the phase before gave it, so that one whose phase failed is not taken
// for a tile: whole ops as vectors take all memory.
//
//===----------------------------------------------------------------------===//

#include "ScheduleWriter.h"
#include "mlir-prof/Optimize/Schedule.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using linalg::LinalgOp;

namespace {

constexpr llvm::StringLiteral kOp = "!transform.any_op";
/// On ops whose tiles become vectors.
constexpr llvm::StringLiteral kVectorize = "mlirprof.vectorize";
/// On sums whose reductions are still to be tiled: the name of the schedule.
constexpr llvm::StringLiteral kReduce = "mlirprof.reduce";

/// Writes the sequences of one schedule. Handles are named in order: %0, %1 ...
class StepWriter {
public:
  StepWriter(const OpSchedule &schedule, llvm::raw_ostream &os)
      : schedule(schedule), os(os) {}

  void run() {
    writeTile();
    if (schedule.rowDim)
      writeRows();
    if (hasReduceStep())
      writeReduce();
  }

private:
  struct Nest {
    std::string op;
    /// One for each loop, outermost first.
    SmallVector<std::string> loops;
  };

  bool hasReduceStep() const {
    return schedule.isReduction && schedule.reduction.hasLoops();
  }

  void begin(StringRef step, bool isConsumed = true);
  void end() { os << "    transform.yield\n  }\n"; }
  std::string newHandle() { return "%" + std::to_string(handles++); }
  Nest tile(StringRef op, const Tiling &tiling);
  std::string getProducer(StringRef op, unsigned operand);
  std::string fuse(StringRef op, std::string &loop);
  std::string fuseProducers(StringRef sum, StringRef fill, Nest &nest);
  void annotate(StringRef op);
  std::string dropUnits(StringRef op, StringRef loop);
  void markSum(StringRef op);
  void peel(const Tiling &tiling, const Nest &nest);
  void writeTile();
  void writeRows();
  void writeReduce();

  const OpSchedule &schedule;
  llvm::raw_ostream &os;
  unsigned handles = 0;
};

} // namespace

void StepWriter::begin(StringRef step, bool isConsumed) {
  handles = 0;
  os << "  transform.named_sequence @@." << step << "(%op: " << kOp
     << (isConsumed ? " {transform.consumed}) {\n"
                    : " {transform.readonly}) {\n");
}

static std::string joinNumbers(ArrayRef<int64_t> numbers) {
  return "[" +
         llvm::join(llvm::map_range(
                        numbers,
                        [](int64_t number) { return std::to_string(number); }),
                    ", ") +
         "]";
}

StepWriter::Nest StepWriter::tile(StringRef op, const Tiling &tiling) {
  Nest nest;
  if (!tiling.hasLoops()) {
    nest.op = op.str();
    return nest;
  }
  size_t count = tiling.getLoops().size();
  nest.op = newHandle();
  std::string loops = newHandle();
  for (size_t i = 0; i < count; ++i)
    nest.loops.push_back(loops + "#" + std::to_string(i));
  os << "    " << nest.op << ", " << loops << ":" << count
     << " = transform.structured.tile_using_for " << op << " tile_sizes "
     << joinNumbers(tiling.tiles)
     << " interchange = " << joinNumbers(tiling.order) << " : (" << kOp
     << ") -> (" << kOp;
  for (size_t i = 0; i < count; ++i)
    os << ", " << kOp;
  os << ")\n";
  return nest;
}

std::string StepWriter::getProducer(StringRef op, unsigned operand) {
  std::string producer = newHandle();
  os << llvm::formatv("    {0} = transform.get_producer_of_operand {1}[{2}] : "
                      "({3}) -> {3}\n",
                      producer, op, operand, kOp);
  return producer;
}

/// Moves `op` into `loop`, which gets a new handle.
std::string StepWriter::fuse(StringRef op, std::string &loop) {
  std::string fused = newHandle(), newLoop = newHandle();
  os << llvm::formatv(
      "    {0}, {1} = transform.structured.fuse_into_containing_op {2} into "
      "{3} : ({4}, {4}) -> ({4}, {4})\n",
      fused, newLoop, op, loop, kOp);
  loop = newLoop;
  return fused;
}

/// Moves the sum, and its fill if it has one, into the innermost loop.
std::string StepWriter::fuseProducers(StringRef sum, StringRef fill,
                                      Nest &nest) {
  std::string fused = fuse(sum, nest.loops.back());
  if (!fill.empty())
    annotate(fuse(fill, nest.loops.back()));
  return fused;
}

void StepWriter::annotate(StringRef op) {
  os << llvm::formatv("    transform.annotate {0} \"{1}\" : {2}\n", op,
                      kVectorize, kOp);
}

/// Takes dimensions of one iteration off the sum, which is the only generic op
/// in `loop`.
std::string StepWriter::dropUnits(StringRef op, StringRef loop) {
  if (schedule.isNamed)
    os << llvm::formatv("    {0} = transform.structured.generalize {1} : ({2}) "
                        "-> {2}\n",
                        newHandle(), op, kOp);
  std::string sum = newHandle();
  os << llvm::formatv(
      "    transform.apply_patterns to {0} {{\n"
      "      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices\n"
      "    } : {2}\n"
      "    {1} = transform.structured.match ops{{[\"linalg.generic\"]} in {0} "
      ": "
      "({2}) -> {2}\n",
      loop, sum, kOp);
  return sum;
}

/// Hands the sum on to the next phase.
void StepWriter::markSum(StringRef op) {
  if (!hasReduceStep())
    return annotate(op);
  std::string name = newHandle();
  os << llvm::formatv(
      "    {0} = transform.param.constant \"@\" -> !transform.any_param\n"
      "    transform.annotate {1} \"{2}\" = {0} : {3}, !transform.any_param\n",
      name, op, kReduce, kOp);
}

/// Cuts off what fills no tile, inner loops first: their copies go along with
/// the outer ones.
void StepWriter::peel(const Tiling &tiling, const Nest &nest) {
  SmallVector<unsigned> dims = tiling.getLoops();
  for (size_t i = dims.size(); i-- > 0;) {
    if (!llvm::is_contained(tiling.peeled, dims[i]))
      continue;
    std::string loop = newHandle(), whole = newHandle(), rest = newHandle();
    os << llvm::formatv(
        "    {0} = transform.cast {1} : {4} to !transform.op<\"scf.for\">\n"
        "    {2}, {3} = transform.loop.peel {0} : "
        "(!transform.op<\"scf.for\">) -> ({4}, {4})\n",
        loop, nest.loops[i], whole, rest, kOp);
    if (&tiling != &schedule.parallel || schedule.rowDim != dims[i])
      continue;
    std::string ops = newHandle();
    os << llvm::formatv(
        "    {0} = transform.structured.match attributes {{{1} = \"@\"} in {2} "
        ": ({3}) -> {3}\n"
        "    transform.foreach {0} : {3} {{\n"
        "    ^bb0(%row: {3}):\n"
        "      transform.include @@.rows failures(suppress) (%row) : ({3}) -> "
        "()\n"
        "    }\n",
        ops, kScheduleAttribute, rest, kOp);
  }
}

void StepWriter::writeTile() {
  begin("tile", schedule.parallel.hasLoops() || schedule.units.hasLoops() ||
                    (schedule.dropsUnits && schedule.isNamed));
  std::string sum, fill;
  if (schedule.fused)
    sum = getProducer("%op", *schedule.fused);
  if (schedule.fusedFill)
    fill = getProducer(sum, *schedule.fusedFill);
  Nest nest = tile("%op", schedule.parallel);
  if (schedule.fused) {
    annotate(nest.op);
    sum = fuseProducers(sum, fill, nest);
  } else {
    sum = nest.op;
  }
  Nest units = tile(sum, schedule.units);
  sum = units.op;
  if (schedule.dropsUnits)
    sum = dropUnits(sum, units.loops.empty() ? nest.loops.back()
                                             : units.loops.back());
  markSum(sum);
  peel(schedule.parallel, nest);
  end();
}

void StepWriter::writeRows() {
  begin("rows");
  Tiling rows = schedule.parallel;
  for (unsigned dim = 0, e = rows.tiles.size(); dim < e; ++dim)
    rows.tiles[dim] = dim == *schedule.rowDim ? 1 : 0;
  std::string sum, fill;
  if (schedule.fused)
    sum = getProducer("%op", *schedule.fused);
  if (schedule.fusedFill)
    fill = getProducer(sum, *schedule.fusedFill);
  Nest nest = tile("%op", rows);
  if (schedule.fused)
    (void)fuseProducers(sum, fill, nest);
  end();
}

void StepWriter::writeReduce() {
  begin("reduce");
  Nest nest = tile("%op", schedule.reduction);
  annotate(nest.op);
  peel(schedule.reduction, nest);
  end();
}

std::string optimize::getScheduleSteps(const OpSchedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StepWriter(schedule, os).run();
  return text;
}

/// `steps` under their name: "@@" begins a symbol, "@" alone is the name.
static std::string nameSteps(StringRef steps, StringRef name) {
  std::string text;
  while (!steps.empty()) {
    auto [before, after] = steps.split('@');
    text += before;
    if (before.size() == steps.size())
      break;
    if (after.consume_front("@"))
      text += "@";
    text += name;
    steps = after;
  }
  return text;
}

/// Calls `step` for each op that has the attribute.
static void writeForEach(llvm::raw_ostream &os, StringRef handle,
                         const llvm::Twine &attribute,
                         const llvm::Twine &step) {
  os << llvm::formatv(
      "    {0} = transform.structured.match attributes {{{1}} in %root : ({3}) "
      "-> {3}\n"
      "    transform.foreach {0} : {3} {{\n"
      "    ^bb0(%op: {3}):\n"
      "      transform.include @{2} failures(suppress) (%op) : ({3}) -> ()\n"
      "    }\n",
      handle, attribute.str(), step.str(), kOp);
}

static void writePatterns(llvm::raw_ostream &os, ArrayRef<StringRef> patterns) {
  os << "    transform.apply_patterns to %functions {\n";
  for (StringRef pattern : patterns)
    os << "      transform.apply_patterns." << pattern << "\n";
  os << "    } : " << kOp << "\n    transform.apply_cse to %functions : " << kOp
     << "\n";
}

static void writeFunctions(llvm::raw_ostream &os) {
  os << llvm::formatv("    %functions = transform.structured.match "
                      "ops{{[\"func.func\"]} in %root : ({0}) -> {0}\n",
                      kOp);
}

static void writeMain(llvm::raw_ostream &os,
                      const std::map<std::string, std::string> &schedules) {
  os << "  transform.named_sequence @__transform_main(%root: " << kOp
     << " {transform.readonly}) {\n";
  for (const auto &[name, steps] : schedules)
    writeForEach(os, "%" + name,
                 llvm::Twine(kScheduleAttribute) + " = \"" + name + "\"",
                 name + ".tile");
  for (const auto &[name, steps] : schedules)
    if (StringRef(steps).contains("@@.reduce"))
      writeForEach(os, "%" + name + "_sums",
                   llvm::Twine(kReduce) + " = \"" + name + "\"",
                   name + ".reduce");
  writeFunctions(os);
  writePatterns(os, {"canonicalization", "scf.for_loop_canonicalization",
                     "linalg.tiling_canonicalization"});
  writeForEach(os, "%tiles", kVectorize, "vectorize");
  // Sums of products become contractions before anything is moved out of their
  // operands; then these lose the dimensions along which they are the same.
  // Only then may leading dimensions go: the contractions would not be found
  // again.
  writePatterns(os, {"vector.reduction_to_contract"});
  writePatterns(os,
                {"vector.reduction_to_contract",
                 "vector.transfer_permutation_patterns", "vector.sink_ops"});
  writePatterns(os, {"vector.transfer_permutation_patterns",
                     "vector.cast_away_vector_leading_one_dim",
                     "tensor.fold_tensor_subset_ops_into_vector_transfers",
                     "canonicalization"});
  os << llvm::formatv(
      "    %loops = transform.structured.match ops{{[\"scf.for\"]} in %root : "
      "({0}) -> {0}\n"
      "    transform.apply_licm to %loops : {0}\n"
      "    transform.loop.hoist_loop_invariant_subsets %loops : {0}\n"
      "    transform.yield\n  }\n",
      kOp);
}

static void writeVectorize(llvm::raw_ostream &os) {
  os << llvm::formatv("  transform.named_sequence @vectorize(%op: {0} "
                      "{{transform.consumed}) {{\n"
                      "    transform.structured.vectorize %op : {0}\n"
                      "    transform.yield\n  }\n",
                      kOp);
}

/// Entry points for the pipeline behind the schedule.
static void writeLowering(llvm::raw_ostream &os) {
  os << llvm::formatv(
      "  transform.named_sequence @bufferize(%root: {0} {{transform.consumed}) "
      "{{\n"
      "    %buffers = transform.bufferization.one_shot_bufferize "
      "layout{{IdentityLayoutMap} %root {{allow_return_allocs_from_loops = "
      "true, bufferize_function_boundaries = true, memcpy_op = "
      "\"linalg.copy\"} : ({0}) -> {0}\n"
      "    transform.yield\n  }\n"
      "  transform.named_sequence @lower_vectors(%root: {0} "
      "{{transform.readonly}) {{\n",
      kOp);
  writeFunctions(os);
  writePatterns(
      os, {"vector.cast_away_vector_leading_one_dim",
           "vector.transfer_permutation_patterns",
           "vector.lower_contraction lowering_strategy = \"outerproduct\"",
           "vector.lower_outerproduct",
           "vector.lower_multi_reduction lowering_strategy = "
           "\"innerreduction\"",
           "vector.lower_transfer max_transfer_rank = 1",
           "vector.lower_transpose lowering_strategy = \"shuffle_16x16\"",
           "vector.lower_shape_cast", "vector.lower_broadcast",
           "vector.lower_masks"});
  os << "    transform.yield\n  }\n";
}

llvm::Error optimize::writeSchedule(ModuleOp tagged,
                                    const codegen::TargetModel &target,
                                    llvm::raw_ostream &os) {
  std::map<std::string, std::string> schedules;
  LinalgOp stale;
  tagged.walk([&](LinalgOp op) {
    auto name = op->getAttrOfType<StringAttr>(kScheduleAttribute);
    if (!name)
      return;
    std::string reason;
    std::optional<OpSchedule> schedule = planSchedule(op, target, reason);
    if (!schedule)
      stale = op;
    else
      schedules.try_emplace(name.str(), getScheduleSteps(*schedule));
  });
  if (stale)
    return inputError("schedule of '" + stale->getName().getStringRef() + "'",
                      "the op has changed since it got its schedule",
                      "Tag the module again before the script is written.");
  os << "module attributes {transform.with_named_sequence} {\n";
  for (const auto &[name, steps] : schedules)
    os << nameSteps(steps, name);
  writeVectorize(os);
  writeMain(os, schedules);
  writeLowering(os);
  os << "}\n";
  return llvm::Error::success();
}
