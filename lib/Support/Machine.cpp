//===- Machine.cpp - This machine -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"

#include <sys/utsname.h>
#include <unistd.h>

using namespace mlirprof;

MachineInfo mlirprof::getMachineInfo() {
  MachineInfo info;
  info.cpu = llvm::sys::getHostCPUName().str();
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      info.features.push_back(feature.first().str());
  llvm::sort(info.features);
  info.threads = llvm::hardware_concurrency().compute_thread_count();
  info.memoryBytes =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  utsname name = {};
  if (uname(&name) == 0)
    info.os =
        std::string(name.sysname) + " " + name.release + " " + name.machine;
  return info;
}
