//===- DeviceTest.cpp - Devices that run a part of a model ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_bytecode.h"
#include "mlir-prof/Runtime/prof_device.h"
#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

namespace {

/// Doubles so many numbers as the parameter says.
void twice(void *const *bindings, const int64_t *parameters, uint32_t, uint32_t,
           uint32_t) {
  const auto *from = static_cast<const int32_t *>(bindings[0]);
  auto *to = static_cast<int32_t *>(bindings[1]);
  for (int64_t i = 0; i != parameters[0]; ++i)
    to[i] = from[i] * 2;
}

/// Does its work at once, and lists it.
struct Driver {
  std::vector<unsigned char> memory;
  std::string log;
  int failsIn = -1;

  bool fails() { return failsIn >= 0 && failsIn-- == 0; }
  static Driver &get(void *context) { return *static_cast<Driver *>(context); }

  prof_device device = {
      PROF_DEVICE_VERSION,
      "test",
      this,
      [](void *context, uint32_t bytes, uint32_t, void **, void **) {
        get(context).memory.assign(bytes, 0xA5);
        get(context).log += "open " + std::to_string(bytes) + "\n";
        return int(get(context).fails());
      },
      [](void *context, void *, void *) { get(context).log += "close\n"; },
      [](void *context, void *, void *, const prof_device_dispatch *work) {
        Driver &driver = get(context);
        driver.log += std::string(work->kernel->name) + "\n";
        if (driver.fails())
          return 1;
        std::vector<void *> bindings;
        for (uint32_t i = 0; i != work->binding_count; ++i)
          bindings.push_back(driver.memory.data() + work->bindings[i].offset);
        work->kernel->function(bindings.data(), work->parameters, 0, 0, 0);
        return 0;
      },
      [](void *context, void *, void *, const prof_device_copy *work) {
        Driver &driver = get(context);
        unsigned char *own = driver.memory.data() + work->offset;
        driver.log += std::string(work->is_to_device ? "to " : "from ") +
                      std::to_string(work->offset) + "\n";
        std::memcpy(work->is_to_device ? own : work->host,
                    work->is_to_device ? work->host : own, work->bytes);
        return int(driver.fails());
      },
      [](void *context, void *) {
        get(context).log += "wait\n";
        return int(get(context).fails());
      }};
};

constexpr int32_t kConstant[2] = {5, 7};
const prof_device_constant kConstants[] = {
    {reinterpret_cast<const unsigned char *>(kConstant), 0, 8}};
const prof_device_kernel kKernels[] = {{"twice", twice, nullptr, 0, 0, 2, 1}};
const prof_device_plan kPlan = {"npu", 128, 64, kConstants, kKernels, 1, 1};

int open(Driver &driver, prof_device_slot &slot) {
  const prof_device *device = &driver.device;
  return prof_device_open(&kPlan, &device, 1, &slot);
}

} // namespace

TEST(Device, RunsWhatItIsGiven) {
  Driver driver;
  prof_device_slot slot;
  ASSERT_EQ(open(driver, slot), PROF_DEVICE_GOOD);
  const prof_device_binding bindings[] = {{0, 8, PROF_MEMORY_READ},
                                          {64, 8, PROF_MEMORY_WRITE}};
  int64_t count = 2;
  int32_t result[2] = {};
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 2, &count, 1), 0);
  EXPECT_EQ(prof_device_transfer(&slot, result, 64, 8, 0), 0);
  EXPECT_EQ(prof_device_wait(&slot), 0);
  EXPECT_EQ(result[0], 10);
  EXPECT_EQ(result[1], 14);
  EXPECT_EQ(slot.dispatches, 1u);
  EXPECT_EQ(slot.transfers_to_device, 0u);
  EXPECT_EQ(slot.transfers_from_device, 1u);
  prof_device_close(&slot, 1);
  prof_device_close(&slot, 1);
  EXPECT_EQ(driver.log, "open 128\nto 0\nwait\ntwice\nfrom 64\nwait\nclose\n");
  EXPECT_EQ(prof_device_wait(&slot), PROF_DEVICE_NOT_OPENED);
  EXPECT_EQ(prof_device_transfer(&slot, result, 64, 8, 0),
            PROF_DEVICE_NOT_OPENED);
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 2, &count, 1),
            PROF_DEVICE_NOT_OPENED);
}

TEST(Device, RefusesWhatIsNotThere) {
  Driver driver;
  prof_device_slot slot;
  EXPECT_EQ(prof_device_open(&kPlan, nullptr, 1, &slot), PROF_DEVICE_NULL);
  const prof_device *none = nullptr;
  EXPECT_EQ(prof_device_open(&kPlan, &none, 1, &slot), PROF_DEVICE_NULL);
  driver.device.version = PROF_DEVICE_VERSION + 1;
  EXPECT_EQ(open(driver, slot), PROF_DEVICE_BAD_VERSION);
  driver.device.version = PROF_DEVICE_VERSION;
  // Opening, copying the constant, waiting for it.
  for (int failing = 0; failing != 3; ++failing) {
    driver.failsIn = failing;
    driver.log.clear();
    EXPECT_EQ(open(driver, slot),
              failing == 0 ? PROF_DEVICE_NOT_OPENED : PROF_DEVICE_FAILED);
    EXPECT_EQ(slot.device, nullptr);
    EXPECT_EQ(driver.log.find("close") != std::string::npos, failing != 0);
  }
  ASSERT_EQ(open(driver, slot), PROF_DEVICE_GOOD);
  prof_device_binding bindings[] = {{0, 8, PROF_MEMORY_READ},
                                    {121, 8, PROF_MEMORY_WRITE}};
  int64_t count = 2;
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 2, &count, 1),
            PROF_DEVICE_BAD_PLACE);
  bindings[1].offset = UINT32_MAX;
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 2, &count, 1),
            PROF_DEVICE_BAD_PLACE);
  bindings[1].offset = 64;
  EXPECT_EQ(prof_device_run(&slot, 1, bindings, 2, &count, 1),
            PROF_DEVICE_BAD_KERNEL);
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 1, &count, 1),
            PROF_DEVICE_BAD_KERNEL);
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 2, &count, 0),
            PROF_DEVICE_BAD_KERNEL);
  EXPECT_EQ(prof_device_transfer(&slot, &count, 121, 8, 1),
            PROF_DEVICE_BAD_PLACE);
  driver.failsIn = 0;
  EXPECT_EQ(prof_device_run(&slot, 0, bindings, 2, &count, 1),
            PROF_DEVICE_FAILED);
  for (int error = PROF_DEVICE_GOOD; error <= PROF_DEVICE_CANCELED; ++error)
    EXPECT_STRNE(prof_device_text(error), "has an unknown error");
  EXPECT_STREQ(prof_device_text(-1), "has an unknown error");
}

namespace {
/// result = 2 * argument, on the device 0.
std::vector<uint8_t> makeBytecode() {
  return {'M',
          'P',
          'B',
          PROF_BYTECODE_VERSION,
          0,
          0,
          1,
          16,
          1,
          8,
          0,
          0,
          0,
          0,
          PROF_BYTECODE_TRANSFER,
          1,
          64,
          PROF_BYTECODE_ARGUMENT,
          0,
          8,
          PROF_BYTECODE_RUN,
          0,
          0,
          2,
          1,
          64,
          8,
          PROF_MEMORY_READ,
          96,
          8,
          PROF_MEMORY_WRITE,
          2,
          PROF_BYTECODE_TRANSFER,
          0,
          96,
          PROF_BYTECODE_RESULT + 8,
          0,
          8,
          PROF_BYTECODE_WAIT,
          0,
          PROF_BYTECODE_END};
}

prof_bytecode_program makeProgram(const std::vector<uint8_t> &code) {
  return {code.data(),           nullptr, nullptr, nullptr, nullptr,
          uint32_t(code.size()), 0,       0};
}
} // namespace

TEST(Device, RunsBytecode) {
  std::vector<uint8_t> code = makeBytecode();
  prof_bytecode_program program = makeProgram(code);
  EXPECT_EQ(prof_bytecode_check_on(&program, &kPlan, 1), PROF_BYTECODE_GOOD);
  EXPECT_EQ(prof_bytecode_check_on(&program, nullptr, 0),
            PROF_BYTECODE_BAD_DEVICE);
  EXPECT_EQ(prof_bytecode_check(&program), PROF_BYTECODE_BAD_DEVICE);
  Driver driver;
  prof_device_slot slot = {};
  int32_t argument[2] = {3, -4}, result[2] = {};
  void *bindings[] = {argument, result};
  EXPECT_EQ(
      prof_bytecode_run_on(&program, &slot, 1, nullptr, nullptr, bindings),
      PROF_BYTECODE_BAD_DEVICE);
  ASSERT_EQ(open(driver, slot), PROF_DEVICE_GOOD);
  ASSERT_EQ(
      prof_bytecode_run_on(&program, &slot, 1, nullptr, nullptr, bindings),
      PROF_BYTECODE_GOOD);
  EXPECT_EQ(result[0], 6);
  EXPECT_EQ(result[1], -8);
  auto cancel = [](void *) { return 1; };
  EXPECT_EQ(prof_bytecode_run_on(&program, &slot, 1, cancel, nullptr, bindings),
            PROF_BYTECODE_CANCELED);
  // Each of the four steps.
  for (int failing = 0; failing != 4; ++failing) {
    driver.failsIn = failing;
    EXPECT_EQ(
        prof_bytecode_run_on(&program, &slot, 1, nullptr, nullptr, bindings),
        PROF_BYTECODE_DEVICE_FAILED);
  }
}

/// A changed byte is refused, or another place in the same memory.
TEST(Device, BytecodeStaysInsideAfterChanges) {
  std::vector<uint8_t> whole = makeBytecode();
  for (size_t at = 0; at != whole.size(); ++at)
    for (int value = 0; value != 256; ++value) {
      std::vector<uint8_t> code = whole;
      code[at] = uint8_t(value);
      // A number of elements that is too large is the kernel's to check.
      if (value == PROF_BYTECODE_WHILE || code[31] > 2)
        continue;
      prof_bytecode_program program = makeProgram(code);
      if (prof_bytecode_check_on(&program, &kPlan, 1) != PROF_BYTECODE_GOOD)
        continue;
      Driver driver;
      prof_device_slot slot;
      ASSERT_EQ(open(driver, slot), PROF_DEVICE_GOOD);
      driver.device.dispatch = [](void *, void *, void *,
                                  const prof_device_dispatch *) { return 0; };
      std::vector<uint8_t> argument(128), result(128), other(128), arena(128);
      void *bindings[] = {argument.data(), result.data(), other.data(),
                          arena.data()};
      EXPECT_EQ(
          prof_bytecode_run_on(&program, &slot, 1, nullptr, nullptr, bindings),
          PROF_BYTECODE_GOOD);
    }
}

TEST(Device, RunsTables) {
  const int64_t count = 2;
  const prof_step_place places[] = {
      {PROF_STEP_ARGUMENT, PROF_MEMORY_READ, 0, 0, 8},
      {PROF_STEP_DEVICE, PROF_MEMORY_WRITE, 0, 64, 8},
      {PROF_STEP_DEVICE, PROF_MEMORY_READ, 0, 64, 8},
      {PROF_STEP_DEVICE, PROF_MEMORY_WRITE, 0, 96, 8},
      {PROF_STEP_DEVICE, PROF_MEMORY_READ, 0, 96, 8},
      {PROF_STEP_ARENA, PROF_MEMORY_WRITE, 0, 8, 8},
      {PROF_STEP_ARENA, PROF_MEMORY_READ, 0, 8, 8},
      {PROF_STEP_RESULT, PROF_MEMORY_WRITE, 0, 0, 8}};
  const prof_step list[] = {
      {PROF_STEP_COPY, 1, 2, 0, 0, nullptr, places, nullptr},
      {PROF_STEP_RUN, 1, 2, 1, 0, nullptr, places + 2, &count},
      {PROF_STEP_COPY, 1, 2, 0, 0, nullptr, places + 4, nullptr},
      {PROF_STEP_WAIT, 1, 0, 0, 0, nullptr, places, nullptr},
      {PROF_STEP_RUN, 0, 2, 1, 0, twice, places + 6, &count}};
  const prof_steps steps = {list, nullptr, 5, 1, 1, 1};
  Driver driver;
  prof_device_slot slot;
  ASSERT_EQ(open(driver, slot), PROF_DEVICE_GOOD);
  int32_t argument[2] = {3, -4}, result[2] = {}, state[1], arena[4] = {};
  void *memory[] = {argument, result, state, arena};
  ASSERT_EQ(prof_steps_run(&steps, &slot, nullptr, nullptr, memory),
            PROF_DEVICE_GOOD);
  EXPECT_EQ(result[0], 12);
  EXPECT_EQ(result[1], -16);
  driver.failsIn = 1;
  EXPECT_EQ(prof_steps_run(&steps, &slot, nullptr, nullptr, memory),
            PROF_DEVICE_FAILED);
  // The first dispatch runs, the second one does not.
  int left = 1;
  auto between = [](void *context) {
    return int((*static_cast<int *>(context))-- == 0);
  };
  result[0] = 0;
  driver.log.clear();
  EXPECT_EQ(prof_steps_run(&steps, &slot, between, &left, memory),
            PROF_DEVICE_CANCELED);
  EXPECT_EQ(driver.log, "to 64\ntwice\nfrom 96\nwait\n");
  EXPECT_EQ(result[0], 0);
}
