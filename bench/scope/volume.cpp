//===- volume.cpp - Many scopes -------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   volume records ROUNDS COUNT FILE   the cost of a record when it is written
//                                      and read
//   volume bounded COUNT [FILE]        the memory of a ring, in memory or in a
//                                      file, after a million scopes and at the
//                                      end
//
// Prints JSON.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Profiler.h"
#include "mlir-prof/Scope/Scope.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace mlirprof;

/// Nanoseconds of `work` for each of `count`.
static double time(uint64_t count, const std::function<void()> &work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  std::chrono::duration<double, std::nano> ns =
      std::chrono::steady_clock::now() - begin;
  return ns.count() / double(count);
}

/// Names, depths and durations of a program rather than of one loop.
static void makeScopes(uint64_t count) {
  for (uint64_t made = 0; made + 4 <= count; made += 4) {
    PROF_SCOPE("step");
    {
      PROF_SCOPE("load");
    }
    PROF_SCOPE("compute");
    {
      PROF_SCOPE("op");
    }
  }
}

static void check(std::optional<scope::Problem> problem) {
  if (!problem)
    return;
  std::fprintf(stderr, "%s; %s\n", problem->what.c_str(),
               problem->hint.c_str());
  std::exit(1);
}

static void timeRecords(int rounds, uint64_t count, const char *path) {
  std::vector<double> stops, copies, reads, tables;
  for (int round = 0; round <= rounds; ++round) {
    prof_scope_start(nullptr, nullptr);
    makeScopes(count);
    double stop = time(count, [] { prof_scope_stop(nullptr); });
    double write = time(count, [&] {
      if (prof_scope_write(path))
        std::exit(1);
    });
    size_t size;
    char *bytes = nullptr;
    double copy = time(count, [&] { bytes = prof_scope_copy(nullptr, &size); });
    scope::Recording recording;
    double read = time(
        count, [&] { check(scope::readRecording({bytes, size}, recording)); });
    prof_scope_free(bytes, size);
    if (recording.events.size() != count / 4 * 4)
      std::exit(1);
    double table = time(count, [&] { scope::makeTable(recording); });
    unlink(path);
    if (!round)
      continue;
    stops.push_back(stop + write);
    copies.push_back(copy);
    reads.push_back(read);
    tables.push_back(table);
  }
  const char *separator = "{";
  auto print = [&](const char *name, const std::vector<double> &times) {
    std::printf("%s\"%s\": [", separator, name);
    for (size_t i = 0; i < times.size(); ++i)
      std::printf(i ? ", %.3f" : "%.3f", times[i]);
    std::printf("]");
    separator = ",\n";
  };
  print("stop and write, a record", stops);
  print("copy, a record", copies);
  print("read, a record", reads);
  print("table, a record", tables);
  std::printf("}\n");
}

/// Resident bytes of the process.
static uint64_t getResident() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

static void measureMemory(uint64_t count, const char *path) {
  constexpr uint64_t kFirst = 1000000;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.ring_records = 65536;
  options.path = path;
  prof_scope_start(&options, nullptr);
  makeScopes(kFirst);
  uint64_t before = getResident();
  double ns = time(count - kFirst, [&] { makeScopes(count - kFirst); });
  uint64_t after = getResident();
  prof_scope_stop(nullptr);
  if (path)
    unlink(path);
  std::printf("{\"scopes\": %llu, \"ns\": %.3f, \"before\": %llu, "
              "\"after\": %llu}\n",
              static_cast<unsigned long long>(count), ns,
              static_cast<unsigned long long>(before),
              static_cast<unsigned long long>(after));
}

int main(int argc, char **argv) {
  if (argc == 5 && !std::strcmp(argv[1], "records"))
    timeRecords(std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10),
                argv[4]);
  else if ((argc == 3 || argc == 4) && !std::strcmp(argv[1], "bounded"))
    measureMemory(std::strtoull(argv[2], nullptr, 10),
                  argc == 4 ? argv[3] : nullptr);
  else
    return 2;
}
