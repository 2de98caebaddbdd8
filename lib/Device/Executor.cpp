//===- Executor.cpp - Running programs on a device ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/Executor.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::device;

/// The most shared memory of a workgroup that does not have to be allowed.
static constexpr uint32_t kPlainSharedBytes = 48 << 10;

llvm::Expected<std::unique_ptr<Executor>>
Executor::create(Driver &driver, const Program &program, unsigned device,
                 Sampling sampling) {
  std::unique_ptr<Executor> executor(new Executor(driver, program));
  if (llvm::Error error = executor->load(device, sampling))
    return std::move(error);
  return std::move(executor);
}

Executor::~Executor() {
  sampler.reset();
  for (std::vector<Address> &place : places)
    for (Address address : place)
      if (address)
        driver.release(address);
  for (Handle event : {transferBegin, transferEnd})
    if (event)
      driver.destroyEvent(event);
  if (stream)
    driver.destroyStream(stream);
  for (auto [assembly, module] : modules)
    driver.unload(module);
}

/// Assembly for sm_90 runs on devices of capability 9.0 and later ones; for
/// sm_90a on 9.0 alone.
static llvm::Error checkTarget(const Program &program, const DeviceInfo &info) {
  llvm::StringRef text = program.target;
  unsigned number = 0;
  bool isKnown = text.consume_front("sm_") && !text.consumeInteger(10, number);
  unsigned own = info.major * 10 + info.minor;
  bool isExact = text == "a";
  if (isKnown && (isExact ? number == own : number <= own))
    return llvm::Error::success();
  return inputError("device '" + info.name + "'",
                    "has the compute capability " + llvm::Twine(info.major) +
                        "." + llvm::Twine(info.minor) +
                        ", and the program is for " + program.target,
                    "Compile the model with --device-target=sm_" +
                        llvm::Twine(own) + ".");
}

llvm::Error Executor::load(unsigned device, Sampling sampling) {
  auto count = driver.countDevices();
  if (!count)
    return count.takeError();
  if (device >= *count)
    return inputError("device " + llvm::Twine(device),
                      "the driver has " + llvm::Twine(*count) + " devices",
                      "Devices are numbered from 0; nvidia-smi lists them.");
  auto opened = driver.open(device);
  if (!opened)
    return opened.takeError();
  info = *opened;
  if (llvm::Error error = checkTarget(program, info))
    return error;
  if (sampling == Sampling::On) {
    auto created = driver.createSampler();
    if (!created)
      return created.takeError();
    sampler = std::move(*created);
  }
  auto made = driver.createStream();
  if (!made)
    return made.takeError();
  stream = *made;
  for (Handle *event : {&transferBegin, &transferEnd}) {
    auto created = driver.createEvent();
    if (!created)
      return created.takeError();
    *event = *created;
  }
  for (auto step : {&Executor::loadKernels, &Executor::allocateAll,
                    &Executor::prepareSteps, &Executor::copyConstants})
    if (llvm::Error error = (this->*step)())
      return error;
  return llvm::Error::success();
}

llvm::Error Executor::loadKernels() {
  for (const Kernel &kernel : program.kernels) {
    std::string what = "kernel '" + kernel.name + "'";
    auto [module, isNew] = modules.try_emplace(kernel.assembly, nullptr);
    if (isNew) {
      auto loaded = driver.load(kernel.assembly, what);
      if (!loaded) {
        modules.erase(module);
        return loaded.takeError();
      }
      module->second = *loaded;
    }
    auto function = driver.find(module->second, kernel.name, what);
    if (!function)
      return function.takeError();
    auto described = driver.describe(*function, what);
    if (!described)
      return described.takeError();
    if (kernel.sharedBytes > kPlainSharedBytes)
      if (llvm::Error error =
              driver.allowShared(*function, kernel.sharedBytes, what))
        return error;
    functions.push_back(*function);
    functionInfos.push_back(*described);
  }
  return llvm::Error::success();
}

llvm::Error Executor::allocateAll() {
  auto allocate = [&](Binding::Place place, uint64_t bytes,
                      const llvm::Twine &what) -> llvm::Error {
    std::vector<Address> &addresses = places[size_t(place)];
    addresses.push_back(0);
    if (bytes == 0)
      return llvm::Error::success();
    auto address = driver.allocate(bytes, what.str());
    if (!address)
      return address.takeError();
    addresses.back() = *address;
    return llvm::Error::success();
  };
  using Place = Binding::Place;
  for (const Array &array : program.arguments)
    if (llvm::Error error = allocate(Place::Argument, array.bytes,
                                     "argument '" + array.name + "'"))
      return error;
  for (const Array &array : program.results)
    if (llvm::Error error =
            allocate(Place::Result, array.bytes, "result '" + array.name + "'"))
      return error;
  for (auto [index, bytes] : llvm::enumerate(program.constants))
    if (llvm::Error error = allocate(Place::Constant, bytes.size(),
                                     "constant " + llvm::Twine(index)))
      return error;
  if (llvm::Error error =
          allocate(Place::Arena, program.arenaBytes, "the arena"))
    return error;
  return allocate(Place::Probes, program.probeBytes, "the buffer of probes");
}

Address Executor::getAddress(const Binding &binding) const {
  Address base = places[size_t(binding.place)][binding.index];
  return base ? base + binding.offset : 0;
}

llvm::Error Executor::prepareSteps() {
  launches.resize(program.steps.size());
  for (auto [prepared, step] : llvm::zip_equal(launches, program.steps)) {
    const auto *launch = std::get_if<Launch>(&step);
    if (!launch)
      continue;
    const Kernel &kernel = program.kernels[launch->kernel];
    prepared.shape = {launch->grid, kernel.block, kernel.sharedBytes};
    for (const Binding &binding : launch->bindings)
      prepared.arguments.push_back(getAddress(binding));
    for (int64_t parameter : launch->parameters)
      prepared.arguments.push_back(uint64_t(parameter));
  }
  return llvm::Error::success();
}

llvm::Error Executor::transfer(Transfer transfer,
                               llvm::function_ref<llvm::Error()> copy) {
  if (transfer.bytes == 0)
    return llvm::Error::success();
  if (llvm::Error error = driver.record(transferBegin, stream))
    return error;
  if (llvm::Error error = copy())
    return error;
  if (llvm::Error error = driver.record(transferEnd, stream))
    return error;
  if (llvm::Error error = driver.synchronize(stream, transfer.name))
    return error;
  auto elapsed = driver.getElapsedPs(transferBegin, transferEnd);
  if (!elapsed)
    return elapsed.takeError();
  transfer.durationPs = *elapsed;
  transfers.push_back(std::move(transfer));
  return llvm::Error::success();
}

llvm::Error Executor::copyConstants() {
  Transfer all = {"constants"};
  for (llvm::ArrayRef<char> bytes : program.constants)
    all.bytes += bytes.size();
  return transfer(all, [&]() -> llvm::Error {
    for (auto [index, bytes] : llvm::enumerate(program.constants))
      if (!bytes.empty())
        if (llvm::Error error = driver.copyToDevice(
                places[size_t(Binding::Place::Constant)][index], bytes, stream,
                "constant " + std::to_string(index)))
          return error;
    return llvm::Error::success();
  });
}

/// Fails if `tensor` is not one of the type of `array`.
static llvm::Error checkArgument(const Array &array, const HostTensor &tensor) {
  if (tensor.elementType == array.elementType && tensor.shape == array.shape &&
      tensor.bytes.size() == array.bytes)
    return llvm::Error::success();
  return inputError("argument '" + array.name + "'",
                    "is " + describeSizes(tensor.shape) + tensor.elementType +
                        ", and the program takes " +
                        describeSizes(array.shape) + array.elementType);
}

llvm::Error Executor::setArguments(llvm::ArrayRef<HostTensor> arguments) {
  if (arguments.size() != program.arguments.size())
    return inputError("arguments", "there are " +
                                       llvm::Twine(arguments.size()) +
                                       ", and the program takes " +
                                       llvm::Twine(program.arguments.size()));
  Transfer all = {"arguments"};
  for (auto [array, tensor] : llvm::zip_equal(program.arguments, arguments)) {
    if (llvm::Error error = checkArgument(array, tensor))
      return error;
    all.bytes += array.bytes;
  }
  return transfer(all, [&]() -> llvm::Error {
    for (auto [index, tensor] : llvm::enumerate(arguments))
      if (!tensor.bytes.empty())
        if (llvm::Error error = driver.copyToDevice(
                places[size_t(Binding::Place::Argument)][index], tensor.bytes,
                stream, "argument '" + program.arguments[index].name + "'"))
          return error;
    return llvm::Error::success();
  });
}

std::string Executor::describe(size_t step) const {
  if (const auto *launch = std::get_if<Launch>(&program.steps[step]))
    return "kernel '" + program.kernels[launch->kernel].name + "' (step " +
           std::to_string(step) + ")";
  return "copy (step " + std::to_string(step) + ")";
}

llvm::Error Executor::start(size_t step) {
  if (const auto *launch = std::get_if<Launch>(&program.steps[step])) {
    const PreparedLaunch &prepared = launches[step];
    // The driver refuses a grid without workgroups.
    if (llvm::is_contained(launch->grid, 0u))
      return llvm::Error::success();
    return driver.launch(functions[launch->kernel], prepared.shape,
                         prepared.arguments, stream, describe(step));
  }
  const auto &copy = std::get<Copy>(program.steps[step]);
  if (copy.to.bytes == 0)
    return llvm::Error::success();
  return driver.copyOnDevice(getAddress(copy.to), getAddress(copy.from),
                             copy.to.bytes, stream, describe(step));
}

llvm::Error Executor::startAll() {
  for (size_t step = 0; step != program.steps.size(); ++step)
    if (llvm::Error error = start(step))
      return error;
  return llvm::Error::success();
}

llvm::Error Executor::runChecked() {
  if (program.probeBytes != 0)
    if (llvm::Error error =
            driver.fillZero(places[size_t(Binding::Place::Probes)][0],
                            program.probeBytes, stream, "the buffer of probes"))
      return error;
  for (size_t step = 0; step != program.steps.size(); ++step) {
    if (llvm::Error error = start(step))
      return error;
    if (llvm::Error error = driver.synchronize(stream, describe(step)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Executor::wait() { return driver.synchronize(stream, "the run"); }

llvm::Expected<std::vector<HostTensor>> Executor::readResults() {
  std::vector<HostTensor> results;
  Transfer all = {"results", /*isToDevice=*/false};
  for (const Array &array : program.results) {
    HostTensor &tensor = results.emplace_back();
    tensor.elementType = array.elementType;
    tensor.shape = array.shape;
    tensor.bytes.resize(array.bytes);
    if (uint64_t size = tensor.size())
      tensor.bytesPerElement = unsigned(array.bytes / size);
    all.bytes += array.bytes;
  }
  llvm::Error error = transfer(all, [&]() -> llvm::Error {
    for (auto [index, tensor] : llvm::enumerate(results))
      if (!tensor.bytes.empty())
        if (llvm::Error error = driver.copyFromDevice(
                tensor.bytes, places[size_t(Binding::Place::Result)][index],
                stream, "result '" + program.results[index].name + "'"))
          return error;
    return llvm::Error::success();
  });
  if (error)
    return std::move(error);
  return std::move(results);
}

llvm::Expected<std::vector<HostTensor>>
Executor::runOnce(llvm::ArrayRef<HostTensor> arguments) {
  if (llvm::Error error = setArguments(arguments))
    return std::move(error);
  if (llvm::Error error = runChecked())
    return std::move(error);
  return readResults();
}

llvm::Expected<DeviceSamples> Executor::sample(double seconds) {
  if (llvm::Error error = sampler->start())
    return std::move(error);
  // Waiting now and then keeps the queue of the stream short.
  constexpr unsigned kRunsBetween = 16;
  double begin = getMonotonicSeconds();
  do {
    for (unsigned i = 0; i != kRunsBetween; ++i)
      if (llvm::Error error = startAll())
        return std::move(error);
    if (llvm::Error error = wait())
      return std::move(error);
  } while (getMonotonicSeconds() - begin < seconds);
  std::vector<llvm::ArrayRef<char>> codes;
  for (auto [assembly, module] : modules)
    codes.push_back(driver.getCode(module));
  return sampler->stop(codes);
}

llvm::Expected<std::vector<char>> Executor::readProbes() {
  std::vector<char> bytes(program.probeBytes);
  if (bytes.empty())
    return std::move(bytes);
  if (llvm::Error error = driver.copyFromDevice(
          bytes, places[size_t(Binding::Place::Probes)][0], stream,
          "the buffer of probes"))
    return std::move(error);
  if (llvm::Error error = driver.synchronize(stream, "the buffer of probes"))
    return std::move(error);
  return std::move(bytes);
}
