//===- CallTree.cpp - Positions of ops in the model's program -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallTree.h"
#include "../Common/Json/Text.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::kineto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// Limit on the op keys distinguished by position; further ones, of a model
/// that never repeats itself, are identified by their other members.
constexpr size_t kMostKeys = size_t(1) << 17;
/// The same outside of modules and steps, where repetitions cannot be
/// recognized.
constexpr uint32_t kMostOutside = 20000;
/// Limit on the runtime calls that wait for the work that they started.
constexpr size_t kMostLaunches = size_t(1) << 16;

} // namespace

std::vector<uint32_t> Paths::get(uint32_t path) const {
  std::vector<uint32_t> names;
  for (; path != 0; path = entries[path].parent)
    names.push_back(entries[path].name);
  std::reverse(names.begin(), names.end());
  return names;
}

//===----------------------------------------------------------------------===//
// Facts in names
//===----------------------------------------------------------------------===//

const CallTree::NameFacts &CallTree::getFacts(uint32_t name) {
  if (name >= facts.size())
    facts.resize(size_t(name) + 1);
  if (facts[name].isKnown)
    return facts[name];
  NameFacts found;
  found.isKnown = true;
  // Adding names moves the strings.
  std::string text = builder.getProfile().strings[name];
  StringRef rest = text;
  if (rest.consume_front("nn.Module: ")) {
    found.isModule = true;
    found.shortName = builder.addName(rest);
  } else if (rest.consume_front("fx:")) {
    found.shortName = builder.addName(rest);
  } else if (rest.consume_front("ProfilerStep#") ||
             // Paddle's form.
             rest.consume_front("ProfileStep#")) {
    found.isStep = !rest.getAsInteger(10, found.step);
  }
  found.isForward = StringRef(text).ends_with("): forward");
  found.isBackward =
      StringRef(text).starts_with("autograd::engine::evaluate_function");
  found.isOptimizer = StringRef(text).starts_with("Optimizer.");
  // Names of CUDA and HIP.
  found.isGraphLaunch = StringRef(text).contains("GraphLaunch");
  return facts[name] = found;
}

bool CallTree::getStep(uint32_t name, int64_t &step) const {
  if (name >= facts.size() || !facts[name].isStep)
    return false;
  step = facts[name].step;
  return true;
}

//===----------------------------------------------------------------------===//
// Nesting
//===----------------------------------------------------------------------===//

CallTree::Thread &CallTree::getThread(uint32_t number) {
  if (number >= threads.size())
    threads.resize(size_t(number) + 1);
  return threads[number];
}

CallTree::Context CallTree::getContext(Thread &thread, const Input &input) {
  std::vector<Open> &stack = thread.stack;
  while (!stack.empty() && stack.back().endPs <= input.beginPs)
    stack.pop_back();
  // Annotations and functions may overlap partially; only those that enclose
  // the whole event count.
  for (const Open &open : llvm::reverse(stack))
    if (open.endPs >= input.endPs)
      return open.context;
  return Context();
}

void CallTree::enterStep(const Input &input) {
  ++stepCount;
  stepEndPs = input.endPs;
  stepSequencePlusOne = 0;
  graphsInStep = 0;
}

uint32_t CallTree::add(const Input &input) {
  if (isDeviceWork(input.category))
    return addDeviceWork(input);
  if (input.category == Category::DeviceAnnotation)
    return kNone;
  Thread &thread = getThread(input.thread);
  Context context = getContext(thread, input);
  uint32_t op = kNone;
  const NameFacts &name = getFacts(input.name);
  switch (input.category) {
  case Category::Op:
    op = addOp(thread, input, context);
    break;
  case Category::Python:
    if (name.isModule) {
      if (context.modules == 0)
        thread.inModule = 0;
      context.modules = paths.add(context.modules, name.shortName);
    } else if (name.isForward) {
      context.frames = paths.add(context.frames, input.name);
    }
    break;
  case Category::Annotation:
    if (name.isStep)
      enterStep(input);
    else if (name.isOptimizer)
      context.phase = CallPhase::Optimizer;
    else if (input.phase != CallPhase::Forward)
      context.phase = input.phase;
    else if (name.shortName != kNone)
      context.graphNode = name.shortName + 1;
    break;
  case Category::Runtime:
    launch(input, context);
    break;
  case Category::Kernel:
  case Category::Copy:
  case Category::SetMemory:
  case Category::DeviceAnnotation:
  case Category::Other:
    break;
  }
  thread.stack.push_back({input.endPs, context});
  return op;
}

//===----------------------------------------------------------------------===//
// Op keys
//===----------------------------------------------------------------------===//

uint32_t CallTree::addShapes(StringRef text) {
  if (text.empty())
    return 0;
  auto [it, isNew] = shapesByText.try_emplace(text, uint32_t(shapes.size()));
  if (isNew)
    shapes.push_back(json::dropSpace(text));
  return it->second;
}

uint32_t CallTree::takeOrdinal(Thread &thread, const Input &input,
                               const Context &context) {
  if (context.modules != 0)
    return thread.inModule++;
  bool isInStep = input.beginPs < stepEndPs;
  uint64_t step = isInStep ? stepCount : 0;
  if (thread.step != step) {
    thread.step = step;
    thread.inStep = 0;
  }
  uint32_t ordinal = thread.inStep++;
  return isInStep || ordinal < kMostOutside ? ordinal : kNone;
}

uint32_t CallTree::getSequence(const Input &input, const Context &context) {
  if (context.sequencePlusOne == 0)
    return kNone;
  bool isInStep = input.beginPs < stepEndPs;
  if (stepSequencePlusOne == 0 || !isInStep) {
    if (!isInStep && stepCount != 0)
      return kNone;
    if (stepSequencePlusOne == 0)
      stepSequencePlusOne = context.sequencePlusOne;
  }
  uint64_t relative = context.sequencePlusOne - stepSequencePlusOne;
  // A number below the first of the step belongs to an op before it.
  return context.sequencePlusOne < stepSequencePlusOne || relative >= kNone
             ? kNone
             : uint32_t(relative);
}

uint32_t CallTree::addOp(Thread &thread, const Input &input, Context &context) {
  // An op and the ops that it calls each have a number; but ops called by a
  // backward op belong to it, although they may have numbers for a second
  // derivative.
  if (input.sequencePlusOne != 0 &&
      (context.sequencePlusOne == 0 || context.phase != CallPhase::Backward))
    context.sequencePlusOne = input.sequencePlusOne;
  if (getFacts(input.name).isBackward)
    context.phase = CallPhase::Backward;
  Key key;
  key.name = input.name;
  key.ops = context.ops;
  key.modules = context.modules;
  key.frames = context.frames;
  key.graphNode = context.graphNode;
  key.shapes = input.shapes;
  key.ordinal = takeOrdinal(thread, input, context);
  key.sequence = getSequence(input, context);
  key.phase = uint32_t(context.phase);
  auto find = [&] {
    return opByKey.find(
        StringRef(reinterpret_cast<const char *>(&key), sizeof(key)));
  };
  auto it = find();
  if (it == opByKey.end() && opByKey.size() >= kMostKeys) {
    ++beyond;
    beyondPs = saturatingAdd(beyondPs, input.endPs - input.beginPs);
    key.ordinal = key.sequence = kNone;
    it = find();
  }
  if (it == opByKey.end()) {
    uint32_t op = builder.addOpKey(makeKey(key));
    if (op >= keyOfOp.size())
      keyOfOp.resize(size_t(op) + 1, kNone);
    keyOfOp[op] = uint32_t(keys.size());
    keys.push_back(key);
    it = opByKey
             .try_emplace(
                 StringRef(reinterpret_cast<const char *>(&key), sizeof(key)),
                 op)
             .first;
  }
  context.op = it->second;
  context.ops = paths.add(context.ops, input.name);
  return it->second;
}

std::vector<std::string> CallTree::getNames(uint32_t path) const {
  std::vector<std::string> names;
  for (uint32_t name : paths.get(path))
    names.push_back(builder.getProfile().strings[name]);
  return names;
}

OpKey CallTree::makeKey(const Key &key) const {
  const std::vector<std::string> &strings = builder.getProfile().strings;
  FrameworkCallKey call;
  call.scope = getNames(key.modules);
  call.callers = getNames(key.ops);
  for (const std::string &frame : getNames(key.frames))
    call.frames.push_back(parseFrame(frame));
  call.shapes = InputShapes::parse(shapes[key.shapes]);
  if (key.graphNode)
    call.graphNode = strings[key.graphNode - 1];
  call.ordinal = key.ordinal;
  call.sequence = key.sequence == kNone ? -1 : int64_t(key.sequence);
  call.phase = CallPhase(key.phase);
  return OpKey(strings[key.name], "", std::move(call));
}

//===----------------------------------------------------------------------===//
// Work on devices
//===----------------------------------------------------------------------===//

/// Graphs of a step differ in their place only.
uint32_t CallTree::getGraphName(const Input &input) {
  bool isInStep = input.beginPs < stepEndPs;
  if (!isInStep || graphsInStep++ == 0)
    return input.name;
  std::string name = builder.getProfile().strings[input.name];
  return builder.addName(name + " #" + std::to_string(graphsInStep));
}

void CallTree::launch(const Input &input, const Context &context) {
  if (input.correlation == 0)
    return;
  Launch launch;
  launch.context = context;
  launch.correlation = input.correlation;
  launch.isGraph = getFacts(input.name).isGraphLaunch;
  launch.name = launch.isGraph ? getGraphName(input) : input.name;
  uint32_t &place = launchOf[input.correlation];
  if (place != kNone) {
    launches[place] = launch;
    return;
  }
  if (launches.size() < kMostLaunches) {
    place = uint32_t(launches.size());
    launches.push_back(launch);
    return;
  }
  place = uint32_t(nextLaunch);
  uint64_t old = launches[nextLaunch].correlation;
  launches[nextLaunch] = launch;
  nextLaunch = (nextLaunch + 1) % kMostLaunches;
  launchOf.erase(old);
}

DeviceWork CallTree::getWork(const Input &input) const {
  if (input.category == Category::Kernel)
    return DeviceWork::Kernel;
  if (input.category == Category::SetMemory)
    return DeviceWork::SetMemory;
  // "Memcpy HtoD (Pinned -> Device)".
  StringRef name = builder.getProfile().strings[input.name];
  return llvm::StringSwitch<DeviceWork>(name.split('(').first)
      .Case("Memcpy HtoD ", DeviceWork::CopyToDevice)
      .Case("Memcpy DtoH ", DeviceWork::CopyToHost)
      .Case("Memcpy DtoD ", DeviceWork::CopyOnDevice)
      .Case("Memcpy PtoP ", DeviceWork::CopyBetweenDevices)
      .Default(DeviceWork::Other);
}

/// Work of an op has the op's key and its own name. Work of a graph does not
/// have an op of its own: it is known by its position in the graph.
OpKey CallTree::makeDeviceKey(const Input &input, const Launch *launch,
                              uint32_t position) const {
  const std::vector<std::string> &strings = builder.getProfile().strings;
  OpKey key("", "", FrameworkCallKey());
  if (launch && !launch->isGraph && launch->context.op != kNone) {
    key = makeKey(keys[keyOfOp[launch->context.op]]);
  } else if (launch) {
    auto &call = key.get<FrameworkCallKey>();
    key.op = strings[launch->name];
    call.scope = getNames(launch->context.modules);
    call.callers = getNames(launch->context.ops);
    call.phase = launch->context.phase;
    call.ordinal = position;
  }
  key.kernel = strings[input.name];
  key.work = getWork(input);
  return key;
}

uint32_t CallTree::addDeviceWork(const Input &input) {
  uint32_t place = input.correlation ? launchOf.find(input.correlation) : kNone;
  Launch *launch = place == kNone ? nullptr : &launches[place];
  if (!launch) {
    ++unlaunched;
    unlaunchedPs = saturatingAdd(unlaunchedPs, input.endPs - input.beginPs);
  }
  std::vector<uint32_t> parts = {input.name, uint32_t(input.category)};
  uint32_t position = kNone;
  if (launch && (launch->isGraph || launch->context.op == kNone)) {
    const Context &context = launch->context;
    position = launch->isGraph ? launch->works++ : kNone;
    parts.insert(parts.end(), {launch->name, context.modules, context.ops,
                               uint32_t(context.phase), position});
  } else if (launch) {
    parts.push_back(launch->context.op);
  }
  auto [it, isNew] = deviceKeys.try_emplace(std::move(parts), kNone);
  if (isNew)
    it->second = builder.addOpKey(makeDeviceKey(input, launch, position));
  return it->second;
}

void CallTree::reportLosses() {
  // The builder counts that of streams of devices.
  if (unlaunched && builder.getRun().devices.empty())
    builder.loss("device work whose launch was not recorded", unlaunched,
                 unlaunchedPs);
  if (beyond)
    builder.loss("op without its position: too many different ones", beyond,
                 beyondPs);
}
