//===- FakeDriver.h - A driver without a device -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_DEVICE_FAKEDRIVER_H
#define MLIR_PROF_UNITTESTS_DEVICE_FAKEDRIVER_H

#include "mlir-prof/Device/Driver.h"

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace mlirprof::device {

/// Keeps the order of its calls, and fails where it is told to. Memory is that
/// of the host, a kernel is a function of the test, and time passes as the test
/// says.
class FakeDriver : public Driver {
public:
  /// The effect of a launch with its arguments.
  using Body =
      std::function<void(const LaunchShape &, llvm::ArrayRef<uint64_t>)>;

  /// The calls so far: "load", "launch scale" ...
  std::vector<std::string> calls;
  /// The number of the call that fails, counted from 1; 0 for none.
  size_t failAt = 0;
  /// Its CUresult. From 700 on, all later calls fail, too.
  int failCode = 719;
  DeviceInfo info = {"Fake", 9, 0, 1 << 30, 4, 232448, 13000};
  unsigned devices = 1;
  std::map<std::string, Body> kernels;
  /// Picoseconds that a launch, a copy and an event take.
  int64_t launchPs = 1000000, copyPs = 200000, eventPs = 50000;

  /// The number of objects that were created and not released.
  size_t getLiveCount() const { return live; }

  llvm::Expected<unsigned> countDevices() override {
    return give("countDevices", devices);
  }
  llvm::Expected<DeviceInfo> open(unsigned) override {
    return give("open", info);
  }
  llvm::Expected<Handle> load(const std::string &assembly,
                              llvm::StringRef) override {
    return make("load", new std::string(assembly));
  }
  void unload(Handle module) override {
    drop("unload");
    delete static_cast<std::string *>(module);
  }
  llvm::Expected<Handle> find(Handle, const std::string &name,
                              llvm::StringRef) override {
    return give("find " + name, Handle(&*functions.insert(name).first));
  }
  llvm::Expected<FunctionInfo> describe(Handle, llvm::StringRef) override {
    return give("describe", FunctionInfo{32, 0, 0, 1024});
  }
  llvm::Error allowShared(Handle, uint32_t bytes, llvm::StringRef) override {
    return enter("allowShared " + std::to_string(bytes));
  }
  llvm::Expected<Address> allocate(uint64_t bytes, llvm::StringRef) override {
    if (llvm::Error error = enter("allocate " + std::to_string(bytes)))
      return std::move(error);
    ++live;
    return Address(uintptr_t(new char[bytes]()));
  }
  void release(Address address) override {
    drop("release");
    delete[] reinterpret_cast<char *>(uintptr_t(address));
  }
  llvm::Expected<Handle> createStream() override {
    return make("createStream", this);
  }
  void destroyStream(Handle) override { drop("destroyStream"); }
  llvm::Error synchronize(Handle, llvm::StringRef) override {
    return enter("synchronize");
  }
  llvm::Error copyToDevice(Address to, llvm::ArrayRef<char> from, Handle,
                           llvm::StringRef) override {
    return copy("copyToDevice", reinterpret_cast<char *>(uintptr_t(to)),
                from.data(), from.size());
  }
  llvm::Error copyFromDevice(llvm::MutableArrayRef<char> to, Address from,
                             Handle, llvm::StringRef) override {
    return copy("copyFromDevice", to.data(),
                reinterpret_cast<char *>(uintptr_t(from)), to.size());
  }
  llvm::Error copyOnDevice(Address to, Address from, uint64_t bytes, Handle,
                           llvm::StringRef) override {
    return copy("copyOnDevice", reinterpret_cast<char *>(uintptr_t(to)),
                reinterpret_cast<char *>(uintptr_t(from)), bytes);
  }
  llvm::Error fillZero(Address to, uint64_t bytes, Handle,
                       llvm::StringRef) override {
    std::memset(reinterpret_cast<char *>(uintptr_t(to)), 0, bytes);
    return enter("fillZero");
  }
  llvm::Error launch(Handle function, const LaunchShape &shape,
                     llvm::ArrayRef<uint64_t> arguments, Handle,
                     llvm::StringRef what) override {
    const auto &name = *static_cast<const std::string *>(function);
    if (llvm::Error error = enter("launch " + name, what))
      return error;
    run([this, shape, name, values = arguments.vec()] {
      now += launchPs;
      if (auto body = kernels.find(name); body != kernels.end())
        body->second(shape, values);
    });
    return llvm::Error::success();
  }
  llvm::Expected<Handle> createEvent() override {
    return make("createEvent", new int64_t(0));
  }
  void destroyEvent(Handle event) override {
    drop("destroyEvent");
    delete static_cast<int64_t *>(event);
  }
  llvm::Error record(Handle event, Handle) override {
    if (llvm::Error error = enter("record"))
      return error;
    run([this, event] {
      now += eventPs;
      *static_cast<int64_t *>(event) = now;
    });
    return llvm::Error::success();
  }
  llvm::Expected<int64_t> getElapsedPs(Handle begin, Handle end) override {
    return give("getElapsedPs",
                *static_cast<int64_t *>(end) - *static_cast<int64_t *>(begin));
  }
  llvm::Error beginCapture(Handle) override {
    if (llvm::Error error = enter("beginCapture"))
      return error;
    captured = std::make_unique<Graph>();
    return llvm::Error::success();
  }
  llvm::Expected<Handle> endCapture(Handle) override {
    return make("endCapture", captured.release());
  }
  llvm::Error launchGraph(Handle graph, Handle) override {
    if (llvm::Error error = enter("launchGraph"))
      return error;
    for (const std::function<void()> &work : *static_cast<Graph *>(graph))
      work();
    return llvm::Error::success();
  }
  void destroyGraph(Handle graph) override {
    drop("destroyGraph");
    delete static_cast<Graph *>(graph);
  }

  llvm::Expected<std::unique_ptr<Sampler>> createSampler() override {
    if (llvm::Error error = enter("createSampler"))
      return std::move(error);
    return std::make_unique<FakeSampler>(*this);
  }
  llvm::ArrayRef<char> getCode(Handle module) override {
    const auto &text = *static_cast<std::string *>(module);
    return llvm::ArrayRef(text.data(), text.size());
  }

private:
  /// Finds the same samples in each kernel that was launched.
  class FakeSampler : public Sampler {
  public:
    explicit FakeSampler(FakeDriver &driver) : driver(driver) {}
    llvm::Error start() override { return driver.enter("start sampling"); }
    llvm::Expected<DeviceSamples>
    stop(llvm::ArrayRef<llvm::ArrayRef<char>> codes) override {
      if (llvm::Error error = driver.enter("stop sampling"))
        return std::move(error);
      DeviceSamples samples;
      for (const std::string &name : driver.functions)
        samples.places.push_back({name, 16, 7, codes.front().size()});
      return std::move(samples);
    }

  private:
    FakeDriver &driver;
  };
  using Graph = std::vector<std::function<void()>>;

  llvm::Error enter(const std::string &call, llvm::StringRef what = "fake") {
    calls.push_back(call);
    if (failAt == calls.size() || isLost) {
      isLost |= failCode >= 700;
      return makeCudaError(failCode, call, "CUDA_ERROR_FAKE", what);
    }
    return llvm::Error::success();
  }
  template <typename T>
  llvm::Expected<T> give(const std::string &call, T value) {
    if (llvm::Error error = enter(call))
      return std::move(error);
    return value;
  }
  /// Owns `value` until the driver is asked to destroy it.
  template <typename T>
  llvm::Expected<Handle> make(const std::string &call, T *value) {
    if (llvm::Error error = enter(call)) {
      if constexpr (!std::is_same_v<T, FakeDriver>)
        delete value;
      return std::move(error);
    }
    ++live;
    return Handle(value);
  }
  void drop(const std::string &call) {
    calls.push_back(call);
    --live;
  }
  llvm::Error copy(const std::string &call, char *to, const char *from,
                   uint64_t bytes) {
    if (llvm::Error error = enter(call))
      return error;
    run([this, to, from, bytes] {
      now += copyPs;
      std::memcpy(to, from, bytes);
    });
    return llvm::Error::success();
  }
  void run(std::function<void()> work) {
    if (captured)
      captured->push_back(std::move(work));
    else
      work();
  }

  size_t live = 0;
  bool isLost = false;
  int64_t now = 0;
  std::unique_ptr<Graph> captured;
  std::set<std::string> functions;
};

} // namespace mlirprof::device

#endif // MLIR_PROF_UNITTESTS_DEVICE_FAKEDRIVER_H
