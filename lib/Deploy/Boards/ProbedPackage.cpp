//===- ProbedPackage.cpp - A package whose model has probes ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Containers/Containers.h"
#include "../Plan.h"
#include "../Regions.h"
#include "Runtime.h"
#include "mlir-prof/Deploy/Image.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// {0}: the name, {1}: in upper case, {2}: bytes, {3}: the counters'
/// declarations, {4}: the call that starts one.
static constexpr StringLiteral kFunctions =
    R"(/* This model has probes. The tool reads what {0}_profile_print writes. */
struct prof_counter;
extern const struct prof_counter {3};
int prof_counter_use(const struct prof_counter *counter);
void prof_rt_use_memory(void *memory, size_t size);
void prof_rt_reset(void);
int prof_rt_print(void (*put)(char byte));

/* Memory for measurements, aligned to 64 bytes. */
#define {1}_PROFILE_BYTES {2}

/* Before the first call of the model. Returns 0, or 1 if the processor does not
   have the counter. */
static inline int {0}_profile_begin(void *memory, size_t bytes) {{
  prof_rt_use_memory(memory, bytes);
  return {4};
}

/* Forgets the calls until now, those that warm caches. */
static inline void {0}_profile_reset(void) {{
  prof_rt_reset();
}

/* Writes the measurements as text by calls of `put`. Returns 0, or 1 if the
   memory is too small. */
static inline int {0}_profile_print(void (*put)(char byte)) {{
  return prof_rt_print(put) != 0;
}

)";

static std::string declareProfile(StringRef name, const ImageProbes &probes) {
  std::string counters = ("prof_counter_" + probes.counter->name).str();
  std::string start = "!prof_counter_use(&" + counters + ")";
  if (!probes.counter->other.empty()) {
    std::string other = ("prof_counter_" + probes.counter->other).str();
    counters += ", " + other;
    start += " &&\n         !prof_counter_use(&" + other + ")";
  }
  return formatv(kFunctions.data(), name, name.upper(),
                 countRuntimeBytes(probes), counters, start);
}

Expected<std::vector<PackageFile>>
deploy::makeProbedPackage(const compile::CompiledModel &compiled,
                          const codegen::TargetModel &target, StringRef name,
                          const ImageProbes &probes) {
  auto runtime = makeRuntime(target);
  if (!runtime)
    return runtime.takeError();
  DeployedModel model;
  model.name = name.str();
  model.targetName = target.cpu;
  model.target = target;
  model.signature = compiled.signature;
  model.arenaBytes = compiled.arenaBytes;
  model.firstState = compiled.firstState;
  model.hasChecks = !codegen::isBareMetal(target);
  model.objects.push_back({"model", compiled.object});
  if (Error error = addReset(model))
    return std::move(error);
  if (Error error = setRegions(model))
    return std::move(error);
  model.objects.push_back({"profile", std::move(*runtime)});
  model.declarations = declareProfile(name, probes);
  auto files = container::Static().pack(model);
  if (!files)
    return files.takeError();
  files->push_back({model.name + ".h", writeHeader(model)});
  if (!model.regions.empty())
    files->push_back({model.name + ".ld", writeRegionScript(model)});
  return files;
}
