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
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <sys/resource.h>
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

/// The content of a system file; "" if it is missing.
static std::string readSystemFile(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

/// The number after `key` in `text`, or 0.
static uint64_t findNumber(llvm::StringRef text, llvm::StringRef key) {
  size_t at = text.find(key);
  uint64_t number = 0;
  if (at == llvm::StringRef::npos ||
      text.drop_front(at + key.size()).ltrim().consumeInteger(10, number))
    return 0;
  return number;
}

static uint64_t subtract(uint64_t limit, uint64_t used) {
  return limit - std::min(limit, used);
}

/// The memory used by a control group, without file pages, which the system
/// releases on demand.
static uint64_t getMemoryInUse(const std::string &folder) {
  std::string stat = "\n" + readSystemFile(folder + "/memory.stat");
  return subtract(findNumber(readSystemFile(folder + "/memory.current"), ""),
                  findNumber(stat, "\ninactive_file ") +
                      findNumber(stat, "\nactive_file "));
}

/// The memory left in this process's control group (version 2) and the groups
/// around it.
static uint64_t getMemoryOfGroup() {
  uint64_t left = ~uint64_t(0);
  std::string groups = readSystemFile("/proc/self/cgroup");
  size_t at = llvm::StringRef(groups).find("0::/");
  if (at == llvm::StringRef::npos)
    return left;
  llvm::StringRef group =
      llvm::StringRef(groups).drop_front(at + 3).split('\n').first;
  while (true) {
    std::string folder = "/sys/fs/cgroup" + group.rtrim('/').str();
    uint64_t limit = 0;
    // "max" means no limit.
    std::string text = readSystemFile(folder + "/memory.max");
    if (!llvm::StringRef(text).trim().getAsInteger(10, limit))
      left = std::min(left, subtract(limit, getMemoryInUse(folder)));
    if (group.size() <= 1)
      return left;
    group = group.take_front(group.rfind('/'));
  }
}

uint64_t mlirprof::getAvailableMemory() {
  constexpr uint64_t kKiB = 1024;
  std::string info = readSystemFile("/proc/meminfo");
  uint64_t available = llvm::SaturatingMultiply(
      findNumber(info, "MemAvailable:") + findNumber(info, "SwapFree:"), kKiB);
  if (!available)
    available = getMachineInfo().memoryBytes;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    available = std::min<uint64_t>(
        available, subtract(limit.rlim_cur,
                            findNumber(readSystemFile("/proc/self/statm"), "") *
                                uint64_t(sysconf(_SC_PAGESIZE))));
  return std::max<uint64_t>(std::min(available, getMemoryOfGroup()), 1);
}
