//===- FallbackKernels.cpp - Kernels not made for speed -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Words.h"
#include "Rules.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Share of the ops' time.
static constexpr int64_t kFallbackPpm = 20000;
/// Minimum gain of polynomials, as a share of the ops' time.
static constexpr int64_t kGainPpm = 5000;
/// A loop with a call per number cannot use vectors; in vectors, the rest of it
/// is this many times faster.
static constexpr double kVectorGain = 8;
/// Minimum share of calls in an op's time for the rest of the op to count as
/// slowed by them.
static constexpr int64_t kCallingPpm = 300000;

/// If `name` begins with that of an operator of C++ that contains brackets, its
/// length; otherwise 0. `before` is the character in front of it.
static size_t getOperatorLength(llvm::StringRef name, char before) {
  // Longer ones come first.
  static constexpr llvm::StringLiteral kWithBrackets[] = {
      "<=>", "<<=", ">>=", "->*", "()", "<<", ">>", "<=", ">=", "->", "<", ">"};
  constexpr llvm::StringLiteral kOperator = "operator";
  if (llvm::isAlnum(before) || before == '_' || !name.starts_with(kOperator))
    return 0;
  llvm::StringRef rest = name.drop_front(kOperator.size());
  for (llvm::StringRef symbol : kWithBrackets)
    if (rest.starts_with(symbol))
      return kOperator.size() + symbol.size();
  return 0;
}

/// A name of C++ without arguments, also those of templates, which name the
/// types of a kernel: "f<std::reference_wrapper<T>>(U)" is f.
static std::string dropArguments(llvm::StringRef name) {
  std::string kept;
  unsigned depth = 0;
  for (size_t i = 0; i != name.size(); ++i) {
    if (size_t length =
            getOperatorLength(name.drop_front(i), i ? name[i - 1] : ' ')) {
      if (depth == 0)
        kept += name.substr(i, length);
      i += length - 1;
      continue;
    }
    char c = name[i];
    bool isEnd = c == '>' || c == ')';
    depth += c == '<' || c == '(';
    if (depth == 0)
      kept += c;
    depth -= isEnd && depth;
  }
  return kept;
}

static bool isFallback(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "reference", "ref", "fallback", "naive", "emulated"};
  return hasWord(dropArguments(name), kWords);
}

namespace {
/// A function that --math=polynomial replaces, for f32. sin, cos, tan, pow and
/// exp2 stay calls.
struct MathFunction {
  /// The op, and libm's function ("__expf_fma" is glibc's).
  llvm::StringLiteral op, symbol;
  /// For a loop that only calls it: the part of the time in calls, and the time
  /// of the loop with polynomials in vectors of kLanes numbers, relative to
  /// that with calls. If it is lowered to another function, the calls are of
  /// that.
  double calls, polynomial;
};
} // namespace

static constexpr int64_t kLanes = 16;
/// As measured on an AMD EPYC with AVX-512 and glibc 2.36; docs/advising.md has
/// the measurements, including those that did not determine these figures.
static constexpr MathFunction kFunctions[] = {
    {"math.acos", "acosf", 0.90, 0.140},
    {"math.asin", "asinf", 0.88, 0.051},
    {"math.atan", "atanf", 0.97, 0.035},
    {"math.atan2", "atan2f", 0.99, 0.022},
    {"math.erf", "erff", 0.98, 0.037},
    {"math.erfc", "erfcf", 0.96, 0.062},
    {"math.exp", "expf", 0.44, 0.117},
    {"math.expm1", "expm1f", 0.40, 0.553}, // expf
    {"math.log", "logf", 0.49, 0.201},
    {"math.log1p", "log1pf", 0.54, 0.212}, // logf
    {"math.log2", "log2f", 0.61, 0.213},
    {"math.tanh", "tanhf", 0.95, 0.017},
};

/// Lanes of a vector on the machine of recordings by `mlir-prof record`.
static int64_t getLanes(const Profile &profile) {
  for (const Run &run : profile.runs) {
    llvm::ArrayRef<std::string> features = run.machine.features;
    if (!isOwnRecording(run) || features.empty())
      continue;
    auto has = [&](llvm::StringRef name) {
      return llvm::is_contained(features, name);
    };
    return has("avx512f") ? 16 : has("avx") ? 8 : 4;
  }
  return kLanes;
}

/// Whether libm's function is one of those, for f32.
static bool isScalarMath(llvm::StringRef symbol) {
  return llvm::any_of(kFunctions, [&](const MathFunction &function) {
    return hasWord(symbol, {function.symbol});
  });
}

/// The function that was lowered to the code, taken from the earliest level:
/// later ones may express it by others (log1p by log). Null for calls that
/// models make themselves.
static const MathFunction *findFunction(const Program &program, uint32_t node,
                                        uint32_t instance) {
  const MathFunction *found = nullptr;
  uint32_t foundLevel = 0;
  llvm::SmallVector<uint32_t> left = {node};
  llvm::DenseSet<uint32_t> seen;
  while (!left.empty()) {
    uint32_t next = left.pop_back_val();
    if (next >= program.nodes.size() || !seen.insert(next).second)
      continue;
    const ProgramNode &at = program.nodes[next];
    const auto *function = llvm::find_if(kFunctions, [&](const auto &each) {
      return each.op == getString(program, at.op);
    });
    if (function != std::end(kFunctions) && (!found || at.level < foundLevel)) {
      found = function;
      foundLevel = at.level;
    }
    llvm::append_range(left, getParents(program, next, instance));
  }
  return found;
}

/// The replacement that runs instead of a tuned kernel for the op; empty if it
/// is not one of these.
static llvm::StringRef getFallback(const AdviseContext &context,
                                   const OpSummary &op) {
  KeyTraits traits = context.getTraits(op);
  llvm::StringRef target;
  if (HloFinder::Found found = context.findInstruction(op))
    target = found.getInstruction().customCallTarget;
  for (llvm::StringRef name : {target, traits.opType, traits.kernel})
    if (isFallback(name))
      return name;
  return "";
}

namespace {
/// The calls of libm in one op.
struct Caller {
  int64_t callsPs = 0;
  /// Time of loops that only make these calls, and that time with polynomials.
  double loopsPs = 0;
  double polynomialsPs = 0;
};

/// Calls of libm that polynomials could replace.
struct Calls {
  int64_t timePs = 0;
  /// Time of the calling ops outside of the calls.
  int64_t aroundPs = 0;
  int64_t savingPs = 0;
  /// By the op, kNone if unknown.
  std::map<uint32_t, Caller> callers;
};
} // namespace

/// The function of a measured call; null for all others.
static const MathFunction *getFunction(const AdviseContext &context,
                                       const ProgramIndex &programs,
                                       const OpSummary &op) {
  if (!isScalarMath(context.getTraits(op).libraryFunction))
    return nullptr;
  MeasuredNode found = programs.find(context.getKey(op));
  return found.program == kNone
             ? nullptr
             : findFunction(context.profile.programs[found.program], found.node,
                            getInstance(context.getKey(op)));
}

/// Rounded, and clamped to 64 bits.
static int64_t toPs(double ps) {
  constexpr double kMost = 9.2e18;
  return std::llround(std::min(ps, kMost));
}

static void addCalls(const AdviseContext &context, const OpSummary &op,
                     const MathFunction &function, int64_t timePs,
                     int64_t lanes, Calls &calls) {
  calls.timePs = saturatingAdd(calls.timePs, timePs);
  const Ownership *ownership = context.input.report.ownership;
  uint32_t owner = kNone;
  if (ownership && op.op < ownership->matches.size() &&
      ownership->matches[op.op].ops.size() == 1)
    owner = ownership->matches[op.op].ops.front();
  Caller &caller = calls.callers[owner];
  double loopPs = double(timePs) / function.calls;
  double part = function.polynomial * double(kLanes) / double(lanes);
  caller.callsPs = saturatingAdd(caller.callsPs, timePs);
  caller.loopsPs += loopPs;
  caller.polynomialsPs += loopPs * std::min(part, 1.0);
}

/// Time saved by polynomials in an op that takes `wholePs`. The first part of
/// its other work is the cost of calling, which disappears too; the rest
/// becomes vectors.
static int64_t getSavingPs(const Caller &caller, int64_t wholePs) {
  double loopsPs = std::min(caller.loopsPs, double(wholePs));
  double restPs = double(wholePs) - loopsPs;
  double afterPs =
      caller.polynomialsPs * loopsPs / caller.loopsPs + restPs / kVectorGain;
  return std::max<int64_t>(wholePs - toPs(afterPs), 0);
}

/// Adds the time saved by polynomials in the ops that call libm.
static void addSavings(const AdviseContext &context, Calls &calls) {
  const Attribution *attribution = context.input.report.attribution;
  for (const auto &[op, caller] : calls.callers) {
    if (caller.callsPs <= 0)
      continue;
    int64_t wholePs = caller.callsPs;
    if (attribution && op < attribution->ops.size())
      wholePs = std::max(wholePs, attribution->ops[op].totalPs());
    // If calls have less, they are not what keeps the rest from using vectors.
    if (getPpm(caller.callsPs, wholePs) < kCallingPpm)
      wholePs = std::min(wholePs, toPs(caller.loopsPs));
    calls.aroundPs = saturatingAdd(calls.aroundPs, wholePs - caller.callsPs);
    calls.savingPs =
        saturatingAdd(calls.savingPs, getSavingPs(caller, wholePs));
  }
}

/// Completes advice about ops that take `timePs`, if that is enough.
static void addAdvice(const AdviseContext &context, Advice advice,
                      int64_t timePs, int64_t aroundPs,
                      std::vector<Advice> &findings) {
  if (!context.isShareOfOps(timePs, kFallbackPpm))
    return;
  addTime(advice, "fallback_ps", timePs);
  addPpm(advice, "fallback_ppm", getPpm(timePs, context.opTimePs));
  addTime(advice, "around_ps", aroundPs);
  keepHottest(advice);
  findings.push_back(std::move(advice));
}

static Findings find(const AdviseContext &context) {
  if (context.opTimePs <= 0)
    return std::nullopt;
  ProgramIndex programs(context.profile);
  // The speed-up of a tuned kernel differs from kernel to kernel.
  Advice ofKernels = context.makeAdvice(std::nullopt);
  Advice ofCalls = context.makeAdvice(std::nullopt);
  int64_t kernelsPs = 0;
  Calls calls;
  int64_t lanes = getLanes(context.profile);
  for (const OpSummary &op : context.merged) {
    if (op.getTimePs() <= 0)
      continue;
    Subject subject = context.getSubject(op);
    if (const MathFunction *function = getFunction(context, programs, op)) {
      addCalls(context, op, *function, subject.timePs, lanes, calls);
      const OpKey &key = context.getKey(op);
      subject.name = key.kernel + " in " + key.op;
      ofCalls.subjects.push_back(std::move(subject));
    } else if (!getFallback(context, op).empty()) {
      kernelsPs = saturatingAdd(kernelsPs, subject.timePs);
      ofKernels.subjects.push_back(std::move(subject));
    }
  }
  addSavings(context, calls);
  ofCalls.gainPs = calls.savingPs;
  std::vector<Advice> findings;
  if (context.isShareOfOps(calls.savingPs, kGainPpm))
    addAdvice(context, std::move(ofCalls), calls.timePs, calls.aroundPs,
              findings);
  addAdvice(context, std::move(ofKernels), kernelsPs, 0, findings);
  return findings;
}

AdviceRule rule::FallbackKernels() {
  return {
      "fallback-kernels",
      "reference kernels, fallbacks and scalar calls of libm do work that "
      "tuned kernels could",
      "ops with times",
      "{ops} ops run in reference or fallback kernels, or call libm for "
      "one number at a time: {fallback_ps}, {fallback_ppm} of the "
      "ops' time; the loops around such calls take {around_ps} more",
      "Find out why the tuned kernel does not apply (type, layout, a delegate "
      "or "
      "build option that is off); in your own models, use --math=polynomial.",
      "habit_sum",
      "the sum of each op's calls, without time that does not recur",
      "mlir-prof report {PROFILE} --by=measured-op --top=20",
      find};
}
