//===- OptimizeInput.cpp - Input of a search ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeInput.h"
#include "Note.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Optimize/RequestMix.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Optimize/UnseenShapes.h"
#include "mlir-prof/Record/ModelServer.h"
#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir-prof/Session/Record.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Tuning/DecisionFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>
#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::match;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Whether each name in `table` belongs to an argument of `signature`, and the
/// number of names matches the entry function: other functions of the model
/// have values too.
static bool isOfEntry(const ObservedValues &table, const Signature &signature) {
  size_t dimensions = 0;
  std::set<std::string> names;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    std::string position = llvm::formatv("arg{0}", index);
    names.insert({argument.name, position});
    for (auto [dim, size] : llvm::enumerate(argument.shape)) {
      names.insert(llvm::formatv("{0}.dim{1}", argument.name, dim).str());
      names.insert(llvm::formatv("{0}.dim{1}", position, dim).str());
      dimensions += mlir::ShapedType::isDynamic(size);
    }
  }
  return (table.kind != ValueKind::Dimensions ||
          table.names.size() == dimensions) &&
         llvm::all_of(table.names, [&](const std::string &name) {
           return names.count(name) != 0;
         });
}

/// The values that all runs observed at the entry function, see
/// Evidence::values.
static const ObservedValues *findTable(const Evidence &evidence,
                                       const Signature &signature,
                                       ValueKind kind) {
  for (const Evidence::Values &values : evidence.values)
    if (values.values.kind == kind && !values.values.entries.empty() &&
        isOfEntry(values.values, signature))
      return &values.values;
  return nullptr;
}

/// The shapes of the arguments that the profile observed, with their
/// frequencies.
static std::vector<ShapeSpec> getObservedShapes(const Signature &signature,
                                                const Evidence &evidence,
                                                double bytes) {
  std::vector<ShapeSpec> specs;
  const ObservedValues *table =
      findTable(evidence, signature, ValueKind::Dimensions);
  if (!table)
    return specs;
  std::vector<MixedTuple> mix =
      chooseMix(*table, {evidence.modelSeconds, bytes});
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    ShapeSpec spec;
    spec.argument = std::to_string(index);
    for (const MixedTuple &part : mix) {
      std::vector<int64_t> shape = argument.shape;
      for (auto [dim, size] : llvm::enumerate(shape))
        for (auto [name, value] : llvm::zip(table->names, part.tuple))
          if (name == llvm::formatv("{0}.dim{1}", argument.name, dim).str() ||
              name == llvm::formatv("arg{0}.dim{1}", index, dim).str())
            size = value;
      spec.shapes.insert(spec.shapes.end(), part.requests, shape);
    }
    if (llvm::is_contained(argument.shape, mlir::ShapedType::kDynamic))
      specs.push_back(std::move(spec));
  }
  return specs;
}

static double countBytes(const Arguments &request) {
  double bytes = 0;
  for (const HostTensor &tensor : request)
    bytes += double(tensor.bytes.size());
  return bytes;
}

static void setNumber(HostTensor &tensor, int64_t value) {
  if (tensor.size() == 1 && tensor.bytes.size() <= sizeof(value) &&
      llvm::StringRef(tensor.elementType).find_first_of("fb") != 0)
    std::memcpy(tensor.bytes.data(), &value, tensor.bytes.size());
}

/// Sets number arguments to the values that the profile observed, with their
/// frequencies.
static void setObservedNumbers(const Signature &signature,
                               const Evidence &evidence,
                               std::vector<Arguments> &requests) {
  const ObservedValues *table =
      findTable(evidence, signature, ValueKind::Arguments);
  if (!table)
    return;
  MixLimits limits{evidence.modelSeconds, countBytes(requests.front())};
  if (requests.size() > 1)
    limits.requests = unsigned(requests.size());
  std::vector<const MixedTuple *> slots;
  std::vector<MixedTuple> mix = chooseMix(*table, limits);
  for (const MixedTuple &part : mix)
    slots.insert(slots.end(), part.requests, &part);
  if (requests.size() == 1)
    requests.resize(std::min<uint64_t>(slots.size(), table->total),
                    requests.front());
  for (auto [request, part] : llvm::zip(requests, slots))
    for (auto [name, value] : llvm::zip(table->names, part->tuple))
      for (auto [index, argument] : llvm::enumerate(signature.arguments))
        if (name == argument.name ||
            name == llvm::formatv("arg{0}", index).str())
          setNumber(request[index], value);
}

/// The shapes of arguments with dynamic dimensions in `requests`, which may
/// come from files.
static std::vector<ShapeSpec>
getRequestedShapes(const Signature &signature,
                   llvm::ArrayRef<Arguments> requests) {
  std::vector<ShapeSpec> specs;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    if (!llvm::is_contained(argument.shape, mlir::ShapedType::kDynamic))
      continue;
    ShapeSpec &spec = specs.emplace_back();
    spec.argument = std::to_string(index);
    for (const Arguments &request : requests)
      spec.shapes.push_back(request[index].shape);
  }
  return specs;
}

static llvm::Error addRequests(const OptimizeRequest &options,
                               OptimizeInput &input) {
  const std::string &entry = options.search.compile.entry;
  auto signature = getModelSignature(*input.built.input, entry);
  if (!signature)
    return signature.takeError();
  std::vector<ShapeSpec> shapes = options.shapes;
  bool isObserved = shapes.empty() && input.hasEvidence;
  if (isObserved)
    shapes = getObservedShapes(*signature, input.evidence,
                               /*bytes=*/std::numeric_limits<double>::max());
  auto requests = makeRequests(input.built, entry, options.inputs, shapes);
  if (!requests)
    return requests.takeError();
  if (isObserved && !shapes.empty()) {
    // The size of a request is known once there are some.
    double bytes = 0;
    for (const Arguments &request : *requests)
      bytes += countBytes(request) / double(requests->size());
    shapes = getObservedShapes(*signature, input.evidence, bytes);
    requests = makeRequests(input.built, entry, options.inputs, shapes);
    if (!requests)
      return requests.takeError();
  }
  input.requests = std::move(*requests);
  // Before adding requests that differ only by observed numbers.
  std::vector<ShapeSpec> otherShapes =
      getRequestedShapes(*signature, input.requests);
  if (options.inputs.empty() && input.hasEvidence)
    setObservedNumbers(*signature, input.evidence, input.requests);
  // Numbers different from those that the search uses.
  constexpr uint64_t kOtherSeed = 20000;
  std::vector<InputSpec> others;
  for (size_t index = 0; index != signature->arguments.size(); ++index) {
    InputSpec &other = others.emplace_back();
    other.argument = std::to_string(index);
    other.seed = kOtherSeed + index;
  }
  auto random = makeArguments(*signature, others, otherShapes);
  if (!random)
    return random.takeError();
  input.checkRequests = std::move(*random);
  return llvm::Error::success();
}

/// The specifications in `options` of arguments whose shapes do not change; all
/// others are random.
static std::vector<InputSpec> getFixedInputs(const OptimizeRequest &options,
                                             const Signature &signature) {
  std::vector<InputSpec> inputs;
  std::vector<bool> isTaken(signature.arguments.size());
  auto take = [&](const InputSpec &input, size_t index) {
    isTaken[index] = true;
    if (llvm::is_contained(signature.arguments[index].shape,
                           mlir::ShapedType::kDynamic))
      return;
    inputs.push_back(input);
    inputs.back().argument = std::to_string(index);
  };
  for (bool isNamed : {true, false})
    for (const InputSpec &input : options.inputs) {
      if (input.argument.empty() == isNamed)
        continue;
      for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
        bool isMeant = isNamed ? input.argument == argument.name ||
                                     input.argument == std::to_string(index)
                               : !isTaken[index];
        if (isMeant) {
          take(input, index);
          break;
        }
      }
    }
  return inputs;
}

void mlirprof::addUnseenRequests(const OptimizeRequest &options,
                                 mlir::FunctionOpInterface entry,
                                 OptimizeInput &input) {
  auto signature =
      getModelSignature(*input.built.input, options.search.compile.entry);
  if (!entry || !signature ||
      entry.getNumArguments() != signature->arguments.size()) {
    llvm::consumeError(signature.takeError());
    return;
  }
  std::vector<ArgumentShapes> seen;
  for (const Arguments &request : input.requests) {
    ArgumentShapes &shapes = seen.emplace_back();
    for (llvm::ArrayRef<int64_t> shape : getShapes(request))
      shapes.push_back(shape.vec());
  }
  std::vector<ArgumentShapes> unseen = makeUnseenShapes(entry, seen);
  if (unseen.empty())
    return;
  std::vector<ShapeSpec> specs;
  for (auto [index, argument] : llvm::enumerate(signature->arguments)) {
    if (!llvm::is_contained(argument.shape, mlir::ShapedType::kDynamic))
      continue;
    ShapeSpec &spec = specs.emplace_back();
    spec.argument = std::to_string(index);
    for (const ArgumentShapes &shapes : unseen)
      spec.shapes.push_back(shapes[index]);
  }
  auto requests =
      makeArguments(*signature, getFixedInputs(options, *signature), specs);
  if (!requests) {
    note(options.onNote, "choices are not measured on other shapes: " +
                             llvm::toString(requests.takeError()));
    return;
  }
  input.unseenRequests = std::move(*requests);
  if (options.inputs.empty() && input.hasEvidence)
    setObservedNumbers(*signature, input.evidence, input.unseenRequests);
}

//===----------------------------------------------------------------------===//
// The profile
//===----------------------------------------------------------------------===//

static bool isInterrupted(const OptimizeRequest &options) {
  return options.search.isInterrupted && options.search.isInterrupted();
}

/// An error where no further step may begin.
static llvm::Error checkGoesOn(const OptimizeRequest &options,
                               double beginSeconds) {
  if (isInterrupted(options))
    return llvm::make_error<InterruptedError>();
  if (getMonotonicSeconds() - beginSeconds >= options.search.budgetSeconds)
    return llvm::make_error<BudgetError>();
  return llvm::Error::success();
}

/// Records the model on the requests. Returns an InterruptedError if the user
/// interrupted it: the data collected until then is too little to use.
static llvm::Expected<Profile> recordRequests(OptimizeRequest &options,
                                              OptimizeInput &input,
                                              double beginSeconds) {
  constexpr double kLeastSeconds = 0.5, kMostSeconds = 2, kShare = 0.05;
  CompileOptions compile = options.search.compile;
  compile.recordValues = true;
  compile.lowerProbes = "probe=inline instances=0";
  double buildBegin = getMonotonicSeconds();
  if (llvm::Error error =
          compileInput(input.built, options.model, compile, options.onNote))
    return std::move(error);
  double &seconds = options.search.earlierBuildSeconds;
  seconds = getMonotonicSeconds() - buildBegin;
  options.search.spent.push_back({"building it to record it", seconds});
  if (llvm::Error error = checkGoesOn(options, beginSeconds))
    return std::move(error);
  RunOptions run;
  run.threads = compile.target.threads;
  run.seconds = std::clamp(kShare * options.search.budgetSeconds, kLeastSeconds,
                           kMostSeconds);
  double runBegin = getMonotonicSeconds();
  auto ran = runModel(input.built.model, input.requests, run);
  if (!ran)
    return ran.takeError();
  options.search.spent.push_back(
      {"recording it", getMonotonicSeconds() - runBegin});
  if (ran->exit == ExitKind::Interrupted || isInterrupted(options))
    return llvm::make_error<InterruptedError>();
  if (ran->exit != ExitKind::Finished)
    return inputError(options.model, "did not finish: " + ran->exitReason);
  Profile profile;
  if (llvm::Error error = addRun(input.built.model, *ran, profile))
    return std::move(error);
  return std::move(profile);
}

static llvm::Error readProfileOf(const OptimizeRequest &options,
                                 OptimizeInput &input) {
  auto profile = openProfile(options.profile, options.open);
  if (!profile)
    return profile.takeError();
  auto evidence = readEvidence(*profile, options.profile, *input.built.input);
  if (!evidence)
    return evidence.takeError();
  for (const std::string &text : evidence->notes)
    note(options.onNote, text);
  input.evidence = std::move(*evidence);
  input.hasEvidence = true;
  return llvm::Error::success();
}

llvm::Expected<OptimizeInput>
mlirprof::readOptimizeInput(const OptimizeRequest &options) {
  OptimizeInput input;
  auto built = readInput(options.model);
  if (!built)
    return built.takeError();
  input.built = std::move(*built);
  if (options.profile.empty())
    input.valueOrigin = ValueOrigin::Requests;
  else if (llvm::Error error = readProfileOf(options, input))
    return std::move(error);
  if (llvm::Error error = addRequests(options, input))
    return std::move(error);
  return std::move(input);
}

llvm::Error mlirprof::measureOptimizeInput(OptimizeRequest &options,
                                           OptimizeInput &input,
                                           double beginSeconds) {
  double begin = getMonotonicSeconds();
  options.search.spent.push_back({"reading the model", begin - beginSeconds});
  if (llvm::Error error = checkGoesOn(options, beginSeconds))
    return error;
  // A small budget is reserved for trials.
  constexpr double kLeastSeconds = 0.1, kMostSeconds = 0.5, kShare = 0.05;
  if (auto peak = measurePeak(std::clamp(kShare * options.search.budgetSeconds,
                                         kLeastSeconds, kMostSeconds)))
    input.peak = *peak;
  else
    note(options.onNote, "this machine's peak was not measured: " +
                             llvm::toString(peak.takeError()));
  options.search.spent.push_back(
      {"this machine's peak", getMonotonicSeconds() - begin});
  if (llvm::Error error = checkGoesOn(options, beginSeconds))
    return error;
  if (input.hasTimes())
    return llvm::Error::success();
  auto profile = recordRequests(options, input, beginSeconds);
  if (!profile)
    return profile.takeError();
  auto evidence = readEvidence(*profile, "the recording", *input.built.input);
  if (!evidence)
    return evidence.takeError();
  // Shapes and values in a profile from another machine stay.
  if (input.hasEvidence)
    evidence->values = std::move(input.evidence.values);
  input.evidence = std::move(*evidence);
  input.hasEvidence = true;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

llvm::Expected<DecisionDatabase> mlirprof::loadDecisions(llvm::StringRef path) {
  if (path.empty())
    return DecisionDatabase();
  return DecisionFile(path).load();
}

llvm::Expected<DecisionDatabase>
mlirprof::loadKnownDecisions(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return inputError(path, "does not exist",
                      "mlir-prof optimize --decisions=FILE writes decisions.");
  return loadDecisions(path);
}

llvm::Error mlirprof::useDecisions(llvm::StringRef path,
                                   CompileOptions &options,
                                   const NoteHandler &onNote) {
  if (path.empty())
    return llvm::Error::success();
  auto database = loadKnownDecisions(path);
  if (!database)
    return database.takeError();
  auto shared = std::make_shared<DecisionDatabase>(std::move(*database));
  std::string machine = getMachineKey(options.target);
  options.choose = [shared, machine, file = path.str(),
                    onNote](mlir::ModuleOp canonical) {
    unsigned exact = 0, others = 0;
    auto choices = findChoices(
        canonical, *shared, machine,
        [&](const OpSignature &, const DecisionMatch &match) {
          ++(match.confidence == Confidence::Exact ? exact : others);
        });
    uint64_t ops = applyChoices(canonical, choices);
    note(onNote,
         llvm::formatv("{0}: {1} for {2} of this model on this machine; {3} of "
                       "them found by shape or neighbors only",
                       file, formatCount(exact + others, "decision"),
                       formatCount(ops, "op"), others));
    return llvm::Error::success();
  };
  return llvm::Error::success();
}
