//===- Peak.cpp - Peak rates of a device ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/Peak.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::device;

static constexpr unsigned kRounds = 6;
/// Several times the last cache of GPUs.
static constexpr uint64_t kCopyBytes = uint64_t(256) << 20;
/// As many threads of a multiprocessor as it can have, in workgroups of 256.
static constexpr uint32_t kThreads = 256, kWorkgroups = 8;
static constexpr uint64_t kIterations = 4096;
/// Chains that do not depend on each other, and the length of each in one
/// iteration of the kernel.
static constexpr uint64_t kChains = 8, kLength = 4;
static constexpr double kPsPerSecond = 1e12;
static constexpr llvm::StringLiteral kWhat = "the peak of the device";

/// A kernel whose threads multiply and add in registers. A result of zero,
/// which chains that begin with other numbers do not have, would be stored, so
/// that the driver keeps them.
static std::string getAssembly() {
  std::string chains, begin, sum;
  for (uint64_t chain = 0; chain != kChains; ++chain) {
    std::string name = "%f" + std::to_string(chain);
    begin += "  add.f32 " + name + ", %x, 0f" +
             (chain % 2 ? "3F800000" : "40000000") + ";\n";
    sum += "  add.f32 %s, %s, " + name + ";\n";
  }
  for (uint64_t i = 0; i != kLength; ++i)
    for (uint64_t chain = 0; chain != kChains; ++chain) {
      std::string name = "%f" + std::to_string(chain);
      chains += "  fma.rn.f32 " + name + ", " + name + ", %y, %x;\n";
    }
  return R"(.version 7.0
.target sm_80
.address_size 64

.visible .entry multiply_add(.param .u64 to, .param .u64 count)
{
  .reg .pred %p;
  .reg .b32 %t;
  .reg .b64 %to, %n;
  .reg .f32 %x, %y, %s, %f<8>;
  ld.param.u64 %to, [to];
  ld.param.u64 %n, [count];
  mov.u32 %t, %tid.x;
  cvt.rn.f32.u32 %x, %t;
  mov.f32 %y, 0f3F7FFFFF;
)" + begin +
         "$next:\n" + chains + R"(  sub.u64 %n, %n, 1;
  setp.ne.u64 %p, %n, 0;
  @%p bra $next;
  mov.f32 %s, 0f00000000;
)" + sum +
         R"(  setp.eq.f32 %p, %s, 0f00000000;
  cvta.to.global.u64 %to, %to;
  @%p st.global.f32 [%to], %s;
  ret;
}
)";
}

namespace {
/// The resources of a measurement, released at its end.
class Measurement {
public:
  Measurement(Driver &driver, Handle stream) : driver(driver), stream(stream) {}
  ~Measurement() {
    for (Handle event : events)
      driver.destroyEvent(event);
    for (Address address : memory)
      driver.release(address);
    if (module)
      driver.unload(module);
  }
  Measurement(const Measurement &) = delete;
  Measurement &operator=(const Measurement &) = delete;

  llvm::Error prepare();
  llvm::Expected<uint64_t> measureFlops(unsigned multiprocessors);
  llvm::Expected<uint64_t> measureBytes();

private:
  llvm::Expected<double>
  findBestSeconds(llvm::function_ref<llvm::Error()> work);

  Driver &driver;
  Handle stream, module = nullptr, function = nullptr;
  std::vector<Handle> events;
  std::vector<Address> memory;
};
} // namespace

llvm::Error Measurement::prepare() {
  for (int i = 0; i != 2; ++i) {
    auto event = driver.createEvent();
    if (!event)
      return event.takeError();
    events.push_back(*event);
    auto address = driver.allocate(kCopyBytes, kWhat);
    if (!address)
      return address.takeError();
    memory.push_back(*address);
  }
  auto loaded = driver.load(getAssembly(), kWhat);
  if (!loaded)
    return loaded.takeError();
  module = *loaded;
  auto found = driver.find(module, "multiply_add", kWhat);
  if (!found)
    return found.takeError();
  function = *found;
  return llvm::Error::success();
}

/// The least time of `work` on the device in all rounds but the first.
llvm::Expected<double>
Measurement::findBestSeconds(llvm::function_ref<llvm::Error()> work) {
  double best = 0;
  for (unsigned round = 0; round != kRounds; ++round) {
    if (llvm::Error error = driver.record(events[0], stream))
      return std::move(error);
    if (llvm::Error error = work())
      return std::move(error);
    if (llvm::Error error = driver.record(events[1], stream))
      return std::move(error);
    if (llvm::Error error = driver.synchronize(stream, kWhat))
      return std::move(error);
    auto elapsed = driver.getElapsedPs(events[0], events[1]);
    if (!elapsed)
      return elapsed.takeError();
    double seconds = double(std::max<int64_t>(*elapsed, 1)) / kPsPerSecond;
    best = round <= 1 ? seconds : std::min(best, seconds);
  }
  return best;
}

llvm::Expected<uint64_t> Measurement::measureFlops(unsigned multiprocessors) {
  LaunchShape shape;
  shape.grid[0] = kWorkgroups * std::max(1u, multiprocessors);
  shape.block[0] = kThreads;
  auto seconds = findBestSeconds([&] {
    return driver.launch(function, shape, {memory.front(), kIterations}, stream,
                         kWhat);
  });
  if (!seconds)
    return seconds.takeError();
  double threads = double(shape.grid[0]) * kThreads;
  return uint64_t(2.0 * threads * kIterations * kChains * kLength / *seconds);
}

llvm::Expected<uint64_t> Measurement::measureBytes() {
  auto seconds = findBestSeconds([&] {
    return driver.copyOnDevice(memory[1], memory[0], kCopyBytes, stream, kWhat);
  });
  if (!seconds)
    return seconds.takeError();
  return uint64_t(2.0 * kCopyBytes / *seconds);
}

std::string device::formatPeak(const DevicePeak &peak) {
  return llvm::formatv("{0:f1} TFLOP/s in f32, {1:f0} GB/s",
                       double(peak.flops) / 1e12, double(peak.bytes) / 1e9);
}

llvm::Expected<DevicePeak>
device::measurePeak(Driver &driver, unsigned multiprocessors, Handle stream) {
  Measurement measurement(driver, stream);
  if (llvm::Error error = measurement.prepare())
    return std::move(error);
  DevicePeak peak;
  auto flops = measurement.measureFlops(multiprocessors);
  if (!flops)
    return flops.takeError();
  peak.flops = *flops;
  auto bytes = measurement.measureBytes();
  if (!bytes)
    return bytes.takeError();
  peak.bytes = *bytes;
  return peak;
}
