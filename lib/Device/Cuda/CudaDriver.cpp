//===- CudaDriver.cpp - NVIDIA's driver -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaApi.h"
#include "CuptiSampler.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdlib>
#include <map>

using namespace mlirprof;
using namespace mlirprof::device;

Driver::~Driver() = default;

llvm::Expected<std::unique_ptr<Sampler>> Driver::createSampler() {
  return inputError("samples of the device", "the driver does not have any");
}

namespace {
class CudaDriver : public Driver {
public:
  explicit CudaDriver(const CudaApi &api) : api(api) {}
  ~CudaDriver() override {
    if (context)
      api.releaseContext(device);
  }

  llvm::Expected<unsigned> countDevices() override;
  llvm::Expected<DeviceInfo> open(unsigned number) override;
  llvm::Expected<Handle> load(const std::string &assembly,
                              llvm::StringRef what) override;
  void unload(Handle module) override {
    api.unloadModule(module);
    codes.erase(module);
  }
  llvm::Expected<Handle> find(Handle module, const std::string &name,
                              llvm::StringRef what) override;
  llvm::Expected<FunctionInfo> describe(Handle function,
                                        llvm::StringRef what) override;
  llvm::Error allowShared(Handle function, uint32_t bytes,
                          llvm::StringRef what) override {
    return check(api.setFunctionAttribute(
                     function, cuda::kMaxDynamicSharedBytes, int(bytes)),
                 "cuFuncSetAttribute", what);
  }
  llvm::Expected<Address> allocate(uint64_t bytes,
                                   llvm::StringRef what) override;
  void release(Address address) override { api.release(address); }
  llvm::Expected<Handle> createStream() override {
    Handle stream = nullptr;
    if (llvm::Error error = check(api.createStream(&stream, cuda::kNonBlocking),
                                  "cuStreamCreate", "stream"))
      return std::move(error);
    return stream;
  }
  void destroyStream(Handle stream) override { api.destroyStream(stream); }
  llvm::Error synchronize(Handle stream, llvm::StringRef what) override {
    return check(api.synchronize(stream), "cuStreamSynchronize", what);
  }
  llvm::Error copyToDevice(Address to, llvm::ArrayRef<char> from, Handle stream,
                           llvm::StringRef what) override {
    return check(api.copyToDevice(to, from.data(), from.size(), stream),
                 "cuMemcpyHtoDAsync", what);
  }
  llvm::Error copyFromDevice(llvm::MutableArrayRef<char> to, Address from,
                             Handle stream, llvm::StringRef what) override {
    return check(api.copyFromDevice(to.data(), from, to.size(), stream),
                 "cuMemcpyDtoHAsync", what);
  }
  llvm::Error copyOnDevice(Address to, Address from, uint64_t bytes,
                           Handle stream, llvm::StringRef what) override {
    return check(api.copyOnDevice(to, from, bytes, stream), "cuMemcpyDtoDAsync",
                 what);
  }
  llvm::Error fillZero(Address to, uint64_t bytes, Handle stream,
                       llvm::StringRef what) override {
    return check(api.fillBytes(to, 0, bytes, stream), "cuMemsetD8Async", what);
  }
  llvm::Error launch(Handle function, const LaunchShape &shape,
                     llvm::ArrayRef<uint64_t> arguments, Handle stream,
                     llvm::StringRef what) override;
  llvm::Expected<Handle> createEvent() override {
    Handle event = nullptr;
    if (llvm::Error error =
            check(api.createEvent(&event, 0), "cuEventCreate", "event"))
      return std::move(error);
    return event;
  }
  void destroyEvent(Handle event) override { api.destroyEvent(event); }
  llvm::Error record(Handle event, Handle stream) override {
    return check(
        api.recordEvent(event, stream, isCaptured ? cuda::kRecordExternal : 0),
        "cuEventRecordWithFlags", "event");
  }
  llvm::Expected<int64_t> getElapsedPs(Handle begin, Handle end) override;
  llvm::Error beginCapture(Handle stream) override;
  llvm::Expected<Handle> endCapture(Handle stream) override;
  llvm::Error launchGraph(Handle graph, Handle stream) override {
    return check(api.launchGraph(graph, stream), "cuGraphLaunch", "graph");
  }
  void destroyGraph(Handle graph) override { api.destroyGraphExec(graph); }
  llvm::Expected<std::unique_ptr<Sampler>> createSampler() override {
    auto sampler = openCuptiSampler(context);
    keepsCode = bool(sampler);
    return sampler;
  }
  llvm::ArrayRef<char> getCode(Handle module) override { return codes[module]; }

private:
  llvm::Error check(int code, llvm::StringRef call, llvm::StringRef what,
                    llvm::StringRef log = "");
  llvm::Expected<unsigned> getAttribute(int attribute, llvm::StringRef what);
  /// Turns assembly into the code that `code` then has.
  llvm::Error assemble(const std::string &assembly, llvm::StringRef what,
                       std::vector<char> &code);

  CudaApi api;
  int device = 0;
  Handle context = nullptr;
  bool isCaptured = false;
  /// Whether modules are loaded from code that is kept.
  bool keepsCode = false;
  std::map<Handle, std::vector<char>> codes;
};
} // namespace

llvm::Error CudaDriver::check(int code, llvm::StringRef call,
                              llvm::StringRef what, llvm::StringRef log) {
  if (code == 0)
    return llvm::Error::success();
  const char *name = nullptr;
  if (api.getErrorName(code, &name) != 0 || !name)
    name = "";
  return makeCudaError(code, call, name, what, log);
}

llvm::Expected<unsigned> CudaDriver::countDevices() {
  int count = 0;
  if (llvm::Error error =
          check(api.countDevices(&count), "cuDeviceGetCount", "devices"))
    return std::move(error);
  return unsigned(count);
}

llvm::Expected<unsigned> CudaDriver::getAttribute(int attribute,
                                                  llvm::StringRef what) {
  int value = 0;
  if (llvm::Error error =
          check(api.getDeviceAttribute(&value, attribute, device),
                "cuDeviceGetAttribute", what))
    return std::move(error);
  return unsigned(value);
}

llvm::Expected<DeviceInfo> CudaDriver::open(unsigned number) {
  std::string what = "device " + std::to_string(number);
  if (llvm::Error error =
          check(api.getDevice(&device, int(number)), "cuDeviceGet", what))
    return std::move(error);
  DeviceInfo info;
  constexpr int kNameBytes = 256;
  char name[kNameBytes] = "";
  if (llvm::Error error = check(api.getDeviceName(name, kNameBytes, device),
                                "cuDeviceGetName", what))
    return std::move(error);
  name[kNameBytes - 1] = 0;
  info.name = name;
  size_t bytes = 0;
  if (llvm::Error error =
          check(api.getDeviceMemory(&bytes, device), "cuDeviceTotalMem", what))
    return std::move(error);
  info.memoryBytes = bytes;
  std::pair<int, unsigned *> attributes[] = {
      {cuda::kMajor, &info.major},
      {cuda::kMinor, &info.minor},
      {cuda::kMultiprocessors, &info.multiprocessors},
      {cuda::kSharedBytes, &info.sharedBytes}};
  for (auto [attribute, to] : attributes) {
    auto value = getAttribute(attribute, what);
    if (!value)
      return value.takeError();
    *to = *value;
  }
  int version = 0;
  if (llvm::Error error =
          check(api.getVersion(&version), "cuDriverGetVersion", what))
    return std::move(error);
  info.driverVersion = unsigned(version);
  if (llvm::Error error = check(api.retainContext(&context, device),
                                "cuDevicePrimaryCtxRetain", what))
    return std::move(error);
  if (llvm::Error error =
          check(api.setContext(context), "cuCtxSetCurrent", what))
    return std::move(error);
  return std::move(info);
}

namespace {
/// Options of the driver's compiler: a log of errors, and tables of lines.
struct JitOptions {
  static constexpr size_t kLogBytes = 8192;
  std::vector<char> log = std::vector<char>(kLogBytes);
  std::array<int, 3> names = {cuda::kErrorLog, cuda::kErrorLogBytes,
                              cuda::kLineInfo};
  // Sizes and switches are passed in place of pointers.
  std::array<void *, 3> values = {log.data(), asPointer(kLogBytes),
                                  asPointer(1)};

  const char *getLog() {
    log.back() = 0;
    return log.data();
  }

private:
  static void *asPointer(size_t value) {
    return reinterpret_cast<void *>(value);
  }
};
} // namespace

llvm::Error CudaDriver::assemble(const std::string &assembly,
                                 llvm::StringRef what,
                                 std::vector<char> &code) {
  JitOptions options;
  Handle linker = nullptr;
  if (llvm::Error error =
          check(api.createLinker(options.names.size(), options.names.data(),
                                 options.values.data(), &linker),
                "cuLinkCreate", what))
    return error;
  void *image = nullptr;
  size_t bytes = 0;
  int result =
      api.addToLinker(linker, cuda::kPtx, const_cast<char *>(assembly.c_str()),
                      assembly.size() + 1, "kernel", 0, nullptr, nullptr);
  if (result == 0)
    result = api.finishLinker(linker, &image, &bytes);
  if (result == 0) {
    auto *begin = static_cast<const char *>(image);
    code.assign(begin, begin + bytes);
  }
  llvm::Error error = check(result, "cuLinkAddData", what, options.getLog());
  api.destroyLinker(linker);
  return error;
}

llvm::Expected<Handle> CudaDriver::load(const std::string &assembly,
                                        llvm::StringRef what) {
  Handle module = nullptr;
  std::vector<char> code;
  if (keepsCode)
    if (llvm::Error error = assemble(assembly, what, code))
      return std::move(error);
  JitOptions options;
  const void *image = keepsCode ? code.data() : assembly.c_str();
  int result = api.loadModule(&module, image, options.names.size(),
                              options.names.data(), options.values.data());
  if (llvm::Error error =
          check(result, "cuModuleLoadDataEx", what, options.getLog()))
    return std::move(error);
  if (keepsCode)
    codes[module] = std::move(code);
  return module;
}

llvm::Expected<Handle> CudaDriver::find(Handle module, const std::string &name,
                                        llvm::StringRef what) {
  Handle function = nullptr;
  if (llvm::Error error =
          check(api.getFunction(&function, module, name.c_str()),
                "cuModuleGetFunction", what))
    return std::move(error);
  return function;
}

llvm::Expected<FunctionInfo> CudaDriver::describe(Handle function,
                                                  llvm::StringRef what) {
  FunctionInfo info;
  std::pair<int, unsigned *> attributes[] = {
      {cuda::kRegisters, &info.registers},
      {cuda::kLocalBytes, &info.localBytes},
      {cuda::kStaticSharedBytes, &info.sharedBytes},
      {cuda::kMaxThreads, &info.maxThreads}};
  for (auto [attribute, to] : attributes) {
    int value = 0;
    if (llvm::Error error =
            check(api.getFunctionAttribute(&value, attribute, function),
                  "cuFuncGetAttribute", what))
      return std::move(error);
    *to = unsigned(value);
  }
  return info;
}

llvm::Expected<Address> CudaDriver::allocate(uint64_t bytes,
                                             llvm::StringRef what) {
  Address address = 0;
  if (llvm::Error error =
          check(api.allocate(&address, bytes), "cuMemAlloc",
                (what + " of " + llvm::Twine(bytes) + " bytes").str()))
    return std::move(error);
  return address;
}

llvm::Error CudaDriver::launch(Handle function, const LaunchShape &shape,
                               llvm::ArrayRef<uint64_t> arguments,
                               Handle stream, llvm::StringRef what) {
  // The driver copies the arguments before it returns.
  llvm::SmallVector<void *> pointers;
  for (const uint64_t &argument : arguments)
    pointers.push_back(const_cast<uint64_t *>(&argument));
  return check(api.launch(function, shape.grid[0], shape.grid[1], shape.grid[2],
                          shape.block[0], shape.block[1], shape.block[2],
                          shape.sharedBytes, stream, pointers.data(), nullptr),
               "cuLaunchKernel", what);
}

llvm::Expected<int64_t> CudaDriver::getElapsedPs(Handle begin, Handle end) {
  float milliseconds = 0;
  if (llvm::Error error = check(api.getElapsed(&milliseconds, begin, end),
                                "cuEventElapsedTime", "event"))
    return std::move(error);
  constexpr double kPsPerMs = 1e9;
  return int64_t(double(milliseconds) * kPsPerMs + 0.5);
}

llvm::Error CudaDriver::beginCapture(Handle stream) {
  if (llvm::Error error =
          check(api.beginCapture(stream, cuda::kCaptureThreadLocal),
                "cuStreamBeginCapture", "graph"))
    return error;
  isCaptured = true;
  return llvm::Error::success();
}

llvm::Expected<Handle> CudaDriver::endCapture(Handle stream) {
  isCaptured = false;
  Handle graph = nullptr, executable = nullptr;
  if (llvm::Error error =
          check(api.endCapture(stream, &graph), "cuStreamEndCapture", "graph"))
    return std::move(error);
  int code = api.makeGraph(&executable, graph, 0);
  api.destroyGraph(graph);
  if (llvm::Error error = check(code, "cuGraphInstantiateWithFlags", "graph"))
    return std::move(error);
  return executable;
}

llvm::Expected<std::unique_ptr<Driver>>
device::openCudaDriver(llvm::StringRef path) {
  std::string library = path.str();
  if (const char *other = std::getenv("MLIR_PROF_LIBCUDA");
      library.empty() && other)
    library = other;
  if (library.empty())
    library = "libcuda.so.1";
  auto api = loadCudaApi(library);
  if (!api)
    return api.takeError();
  if (int code = api->init(0)) {
    const char *name = nullptr;
    if (api->getErrorName(code, &name) != 0 || !name)
      name = "";
    return makeCudaError(code, "cuInit", name, library);
  }
  return std::make_unique<CudaDriver>(*api);
}
