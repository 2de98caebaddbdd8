//===- CuptiSampler.cpp - Samples by NVIDIA's CUPTI -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CuptiSampler.h"
#include "CuptiApi.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <dlfcn.h>
#include <map>

using namespace mlirprof;
using namespace mlirprof::device;

Sampler::~Sampler() = default;

/// The most places of one call for data; the others follow in the next one.
static constexpr size_t kPlaces = 1 << 14;
static constexpr size_t kScratchBytes = size_t(16) << 20;
static constexpr size_t kHardwareBytes = size_t(256) << 20;
/// Binary logarithm of the cycles between two samples of one scheduler. A busy
/// device then takes some millions of samples a second, all of whose warps
/// count, which the hardware's buffer holds.
static constexpr uint32_t kPeriod = 15;
/// Bytes of the name of a reason.
static constexpr size_t kReasonBytes = 128;

namespace {

/// A list that the library fills.
class DataBuffer {
public:
  explicit DataBuffer(size_t reasons)
      : stalls(kPlaces * reasons), pcs(kPlaces), data() {
    for (auto [index, pc] : llvm::enumerate(pcs)) {
      pc = cupti::PcData();
      pc.size = sizeof(cupti::PcData);
      pc.stalls = stalls.data() + index * reasons;
    }
    data.size = sizeof(data);
    data.capacity = kPlaces;
    data.pcs = pcs.data();
  }
  cupti::SamplingData &get() { return data; }

private:
  std::vector<cupti::StallSamples> stalls;
  std::vector<cupti::PcData> pcs;
  cupti::SamplingData data;
};

class CuptiSampler : public Sampler {
public:
  CuptiSampler(const cupti::Api &api, Handle context)
      : api(api), context(context) {}
  ~CuptiSampler() override {
    if (isEnabled)
      callWithContext(api.disable);
  }

  /// Before any code is loaded.
  llvm::Error enable();
  llvm::Error start() override {
    return check(callWithContext(api.start), "cuptiPCSamplingStart");
  }
  llvm::Expected<DeviceSamples>
  stop(llvm::ArrayRef<llvm::ArrayRef<char>> codes) override;

private:
  /// By kernel and offset.
  using Places = std::map<std::pair<std::string, uint64_t>, uint64_t>;

  int callWithContext(int (*function)(cupti::ContextCall *)) const {
    cupti::ContextCall call = {sizeof(call), nullptr, context};
    return function(&call);
  }
  static llvm::Error check(int code, llvm::StringRef call);
  llvm::Error configure();
  llvm::Error readReasons();
  llvm::Error readData(Places &places, uint64_t &dropped);
  uint32_t findLine(const std::string &kernel, uint64_t offset,
                    llvm::ArrayRef<llvm::ArrayRef<char>> codes) const;

  cupti::Api api;
  Handle context;
  bool isEnabled = false;
  std::vector<uint32_t> reasons;
  /// The library's own, and one for what it is asked for.
  std::unique_ptr<DataBuffer> internal, wanted;
};

} // namespace

llvm::Error CuptiSampler::check(int code, llvm::StringRef call) {
  if (code == 0)
    return llvm::Error::success();
  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_NOT_SUPPORTED and
  // CUPTI_ERROR_OUT_OF_MEMORY.
  constexpr int kNoPrivileges = 35, kNotSupported = 27, kBufferFull = 8;
  llvm::StringRef hint =
      code == kNoPrivileges
          ? "The administrator lets all users sample with the option "
            "NVreg_RestrictProfilingToAdminUsers=0 of the driver's module."
      : code == kBufferFull
          ? "The hardware's buffer of samples is full: its samples are lost."
      : code == kNotSupported
          ? "The device has to be of compute capability 7.0 or later, and not "
            "be shared by virtual machines."
          : "No other profiler may use the device at the same time.";
  return inputError(
      "samples of the device",
      "CUPTI reports error " + llvm::Twine(code) + " (" + call + ")", hint);
}

llvm::Error CuptiSampler::readReasons() {
  size_t count = 0;
  cupti::ReasonCountCall counting = {sizeof(counting), nullptr, context,
                                     &count};
  if (llvm::Error error = check(api.countReasons(&counting),
                                "cuptiPCSamplingGetNumStallReasons"))
    return error;
  reasons.resize(count);
  std::vector<char> texts(count * kReasonBytes);
  std::vector<char *> names;
  for (size_t i = 0; i != count; ++i)
    names.push_back(texts.data() + i * kReasonBytes);
  cupti::ReasonsCall call = {sizeof(call), nullptr,        context,
                             count,        reasons.data(), names.data()};
  return check(api.getReasons(&call), "cuptiPCSamplingGetStallReasons");
}

llvm::Error CuptiSampler::configure() {
  internal = std::make_unique<DataBuffer>(reasons.size());
  wanted = std::make_unique<DataBuffer>(reasons.size());
  std::vector<cupti::Attribute> attributes;
  auto add = [&](int kind) -> cupti::Attribute & {
    attributes.push_back({kind, 0, {}});
    return attributes.back();
  };
  cupti::Attribute &own = add(cupti::kReasons);
  own.reasons.count = reasons.size();
  own.reasons.indices = reasons.data();
  add(cupti::kPeriod).number = kPeriod;
  add(cupti::kScratchBytes).bytes = kScratchBytes;
  add(cupti::kHardwareBytes).bytes = kHardwareBytes;
  add(cupti::kMode).number = cupti::kContinuous;
  add(cupti::kIsStartedByHand).number = 1;
  add(cupti::kForm).number = cupti::kParsed;
  add(cupti::kBuffer).buffer = &internal->get();
  cupti::ConfigureCall call = {sizeof(call), nullptr, context,
                               attributes.size(), attributes.data()};
  return check(api.configure(&call),
               "cuptiPCSamplingSetConfigurationAttribute");
}

llvm::Error CuptiSampler::enable() {
  if (llvm::Error error =
          check(callWithContext(api.enable), "cuptiPCSamplingEnable"))
    return error;
  isEnabled = true;
  if (llvm::Error error = readReasons())
    return error;
  return configure();
}

llvm::Error CuptiSampler::readData(Places &places, uint64_t &dropped) {
  cupti::SamplingData &data = wanted->get();
  do {
    cupti::DataCall call = {sizeof(call), nullptr, context, &data};
    if (llvm::Error error = check(api.getData(&call), "cuptiPCSamplingGetData"))
      return error;
    dropped += data.dropped;
    for (const cupti::PcData &pc :
         llvm::ArrayRef(data.pcs, std::min(data.count, kPlaces))) {
      uint64_t samples = 0;
      for (const cupti::StallSamples &stall :
           llvm::ArrayRef(pc.stalls, std::min(pc.stallCount, reasons.size())))
        samples += stall.samples;
      places[{pc.functionName ? pc.functionName : "", pc.offset}] += samples;
    }
  } while (data.remaining != 0 && data.count != 0);
  return llvm::Error::success();
}

uint32_t
CuptiSampler::findLine(const std::string &kernel, uint64_t offset,
                       llvm::ArrayRef<llvm::ArrayRef<char>> codes) const {
  for (llvm::ArrayRef<char> code : codes) {
    cupti::LineCall call = {sizeof(call), code.data(), kernel.c_str(),
                            code.size(),  0,           offset,
                            nullptr,      nullptr};
    int failed = api.findLine(&call);
    std::free(call.file);
    std::free(call.folder);
    if (!failed && call.line != 0)
      return call.line;
  }
  return 0;
}

llvm::Expected<DeviceSamples>
CuptiSampler::stop(llvm::ArrayRef<llvm::ArrayRef<char>> codes) {
  if (llvm::Error error =
          check(callWithContext(api.stop), "cuptiPCSamplingStop"))
    return std::move(error);
  DeviceSamples samples;
  Places places;
  if (llvm::Error error = readData(places, samples.dropped))
    return std::move(error);
  for (auto &[place, count] : places)
    samples.places.push_back({place.first, place.second,
                              findLine(place.first, place.second, codes),
                              count});
  return std::move(samples);
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

static void *openLibrary() {
  if (const char *path = std::getenv("MLIR_PROF_LIBCUPTI"))
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (const char *folder :
       {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"})
    for (const char *name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
      if (void *library = dlopen((std::string(folder) + name).c_str(),
                                 RTLD_NOW | RTLD_LOCAL))
        return library;
  return nullptr;
}

static llvm::Expected<cupti::Api> loadCupti() {
  static constexpr llvm::StringLiteral kHint =
      "CUPTI belongs to the CUDA toolkit, and is in NVIDIA's package "
      "nvidia-cuda-cupti for Python; MLIR_PROF_LIBCUPTI names the library.";
  void *library = openLibrary();
  if (!library) {
    const char *reason = dlerror();
    return inputError("libcupti.so",
                      "cannot be loaded, and samples need it: " +
                          llvm::Twine(reason ? reason : "not found"),
                      kHint);
  }
  cupti::Api api;
  const char *missing = nullptr;
#define MLIRPROF_CUPTI_LOAD(MEMBER, SYMBOL, TYPE)                              \
  api.MEMBER =                                                                 \
      reinterpret_cast<int (*)(cupti::TYPE *)>(dlsym(library, #SYMBOL));       \
  if (!api.MEMBER && !missing)                                                 \
    missing = #SYMBOL;
  MLIRPROF_CUPTI_FUNCTIONS(MLIRPROF_CUPTI_LOAD)
#undef MLIRPROF_CUPTI_LOAD
  if (missing)
    return inputError("libcupti.so",
                      "lacks the function " + llvm::Twine(missing), kHint);
  return api;
}

llvm::Expected<std::unique_ptr<Sampler>>
device::openCuptiSampler(Handle context) {
  auto api = loadCupti();
  if (!api)
    return api.takeError();
  auto sampler = std::make_unique<CuptiSampler>(*api, context);
  if (llvm::Error error = sampler->enable())
    return std::move(error);
  return std::move(sampler);
}
