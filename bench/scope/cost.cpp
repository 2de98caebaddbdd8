//===- cost.cpp - The cost of one interval --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times batches of all contestants, in an order that changes from round to
// round. Prints JSON: nanoseconds of one interval, by contestant and round.
//
//   cost ROUNDS THREADS CPUS FILE [PEER.so...]
//
// CPUS are the processors of the threads, with commas between them. A
// contestant that is not in the table of one number of threads cannot take part
// there.
//
//===----------------------------------------------------------------------===//

#include "Contestants.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <random>
#include <sched.h>
#include <thread>

using namespace bench;

std::string bench::scratchFile;

std::vector<Contestant> &bench::getContestants() {
  static std::vector<Contestant> contestants;
  return contestants;
}

static std::vector<int> readCpus(const char *text) {
  std::vector<int> cpus;
  for (const char *at = text; at; at = std::strchr(at, ',')) {
    at += *at == ',';
    cpus.push_back(std::atoi(at));
  }
  return cpus;
}

static void bindThread(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

/// One thread's part of a round; `wait` returns when all of them begin.
template <typename Wait>
static double timeThread(const Contestant &of, Wait wait) {
  if (of.startThread)
    of.startThread();
  for (int batch = 0; batch < of.warmUps; ++batch)
    of.run();
  wait();
  int64_t begin = readNs();
  for (int batch = 0; batch < of.batches; ++batch)
    of.run();
  double ns = double(readNs() - begin);
  if (of.stopThread)
    of.stopThread();
  return ns / kIterations / of.batches / of.intervals;
}

/// The slowest of the threads, which begin together.
static double timeThreads(const Contestant &of, const std::vector<int> &cpus) {
  std::vector<std::thread> threads;
  std::vector<double> times(cpus.size());
  std::atomic<size_t> waiting{cpus.size()};
  for (size_t index = 0; index < cpus.size(); ++index)
    threads.emplace_back([&, index] {
      bindThread(cpus[index]);
      times[index] = timeThread(of, [&] {
        --waiting;
        while (waiting)
          continue;
      });
    });
  for (std::thread &thread : threads)
    thread.join();
  return *std::max_element(times.begin(), times.end());
}

static double timeRound(const Contestant &of, const std::vector<int> &cpus) {
  if (of.start)
    of.start();
  double ns = of.measure ? of.measure() : timeThreads(of, cpus);
  if (of.stop)
    of.stop();
  return ns;
}

static void print(const std::map<std::string, std::vector<double>> &times) {
  const char *separator = "{";
  for (const auto &[name, of] : times) {
    std::printf("%s\"%s\": [", separator, name.c_str());
    for (size_t i = 0; i < of.size(); ++i)
      std::printf(i ? ", %.3f" : "%.3f", of[i]);
    std::printf("]");
    separator = ",\n";
  }
  std::printf("}\n");
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  int rounds = std::atoi(argv[1]);
  std::vector<int> cpus = readCpus(argv[3]);
  cpus.resize(std::atoi(argv[2]), cpus.back());
  scratchFile = argv[4];
  for (int index = 5; index < argc; ++index)
    if (!dlopen(argv[index], RTLD_NOW))
      std::fprintf(stderr, "%s\n", dlerror());
  std::vector<Contestant> order;
  for (const Contestant &of : getContestants())
    if (cpus.size() == 1 || (!of.isAlone && !of.measure))
      order.push_back(of);
  std::map<std::string, std::vector<double>> times;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const Contestant &of : order)
      times[of.name].push_back(timeRound(of, cpus));
  }
  print(times);
  // Peers' threads and static objects may not end in any order.
  std::fflush(stdout);
  std::_Exit(0);
}
