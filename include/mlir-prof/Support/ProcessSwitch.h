//===- ProcessSwitch.h - Switches of the process ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_PROCESSSWITCH_H
#define MLIR_PROF_SUPPORT_PROCESSSWITCH_H

#include <mutex>

namespace mlirprof {

/// Keeps something on that belongs to the process, such as a handler of
/// signals, while at least one object exists. Objects on several threads may
/// overlap in any order: the first calls `turnOn`, the last one to end
/// `turnOff`.
template <void (*turnOn)(), void (*turnOff)()>
class ProcessSwitch {
public:
  ProcessSwitch() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++ == 0)
      turnOn();
  }
  ~ProcessSwitch() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users == 0)
      turnOff();
  }
  ProcessSwitch(const ProcessSwitch &) = delete;
  ProcessSwitch &operator=(const ProcessSwitch &) = delete;

private:
  static inline std::mutex mutex;
  static inline unsigned users = 0;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PROCESSSWITCH_H
