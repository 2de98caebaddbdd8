//===- BytecodeTest.cpp - Running a model's host side as bytecode ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_bytecode.h"
#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

namespace {

/// Adds its first two bindings, of as many numbers as the parameter says, to
/// the third.
void add(void *const *bindings, const int64_t *parameters, uint32_t, uint32_t,
         uint32_t) {
  auto *a = static_cast<const int32_t *>(bindings[0]);
  auto *b = static_cast<const int32_t *>(bindings[1]);
  auto *sum = static_cast<int32_t *>(bindings[2]);
  for (int64_t i = 0; i != parameters[0]; ++i)
    sum[i] = a[i] + b[i];
}

constexpr uint8_t kWritten = 8;

using Bytes = std::vector<uint8_t>;

Bytes join(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes &part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Bytes place(uint8_t kind, uint8_t index, uint8_t offset, uint8_t bytes) {
  return {uint8_t(index * 16 + kind), offset, bytes};
}

/// An arena of 300 bytes with 4 slots from the offset 128 on, an argument of 8,
/// a result of 16, a state of 12.
Bytes header(uint8_t version = PROF_BYTECODE_VERSION) {
  return {'M', 'P', 'B', version, 0xac, 2, 12, 1, 16, 1, 16, 1, 1, 4, 0x80, 1};
}

Bytes dispatch(Bytes bindings) {
  return join({{PROF_BYTECODE_DISPATCH, 0, 3, 1}, bindings, {2}});
}

const Bytes kArgument = place(PROF_BYTECODE_ARGUMENT, 0, 0, 8);
const Bytes kConstant = place(PROF_BYTECODE_CONSTANT, 0, 4, 8);
const Bytes kArena = place(PROF_BYTECODE_ARENA, 0, 64, 8);
const Bytes kInArena = place(PROF_BYTECODE_ARENA + kWritten, 0, 64, 8);
const Bytes kResult = place(PROF_BYTECODE_RESULT + kWritten, 0, 8, 8);
const Bytes kState = place(PROF_BYTECODE_STATE, 0, 4, 8);
const Bytes kInState = place(PROF_BYTECODE_STATE + kWritten, 0, 4, 8);
const Bytes kEnd = {PROF_BYTECODE_END};

/// arena = argument + constant; result[2..3] = arena + arena; result[0..1] =
/// arena.
Bytes makeProgram() {
  return join({header(),
               dispatch(join({kArgument, kConstant, kInArena})),
               dispatch(join({kArena, kArena, kResult})),
               {PROF_BYTECODE_COPY},
               kArena,
               place(PROF_BYTECODE_RESULT + kWritten, 0, 0, 8),
               kEnd});
}

/// A program in memory of exactly its size, with one kernel and one constant.
struct Program {
  explicit Program(const Bytes &bytes) : code(bytes) {
    code.shrink_to_fit();
    program = {
        code.data(),           kernels, &signature, constants, &constantBytes,
        uint32_t(code.size()), 1,       1};
  }

  Bytes code;
  prof_bytecode_kernel *kernels[1] = {add};
  prof_bytecode_signature signature = {3, 1};
  int32_t constant[3] = {-1, 10, 20};
  const void *constants[1] = {constant};
  uint32_t constantBytes = sizeof constant;
  prof_bytecode_program program;
};

int check(const Bytes &bytes) {
  Program program(bytes);
  return prof_bytecode_check(&program.program);
}

} // namespace

TEST(Bytecode, RunsDispatchesInOrder) {
  Program program(makeProgram());
  int32_t argument[2] = {1, 2}, result[4] = {}, state[3] = {};
  alignas(8) int32_t arena[75] = {};
  void *bindings[] = {argument, result, state, arena};
  ASSERT_EQ(prof_bytecode_run(&program.program, bindings), PROF_BYTECODE_GOOD);
  EXPECT_EQ(std::vector<int32_t>(result, result + 4),
            (std::vector<int32_t>{11, 22, 22, 44}));
}

TEST(Bytecode, RefusesOtherFiles) {
  EXPECT_EQ(check({}), PROF_BYTECODE_BAD_FORMAT);
  EXPECT_EQ(check({'M', 'P', 'X', 1}), PROF_BYTECODE_BAD_FORMAT);
  EXPECT_EQ(check(join({header(PROF_BYTECODE_VERSION + 1), kEnd})),
            PROF_BYTECODE_BAD_VERSION);
}

TEST(Bytecode, RefusesCutOffPrograms) {
  Bytes whole = makeProgram();
  for (size_t size = 0; size != whole.size(); ++size)
    EXPECT_NE(check(Bytes(whole.begin(), whole.begin() + long(size))),
              PROF_BYTECODE_GOOD)
        << size;
  EXPECT_EQ(check(join({whole, {0}})), PROF_BYTECODE_BAD_STEP);
}

TEST(Bytecode, RefusesPlacesOutside) {
  auto run = [](const Bytes &target) {
    return check(
        join({header(), dispatch(join({kArgument, kConstant, target})), kEnd}));
  };
  EXPECT_EQ(run(kInArena), PROF_BYTECODE_GOOD);
  for (const Bytes &bad : {place(PROF_BYTECODE_RESULT + kWritten, 0, 9, 8),
                           place(PROF_BYTECODE_RESULT + kWritten, 0, 0, 17),
                           place(PROF_BYTECODE_RESULT + kWritten, 1, 0, 8),
                           // Even without bytes.
                           place(PROF_BYTECODE_RESULT + kWritten, 1, 0, 0),
                           place(PROF_BYTECODE_ARENA + kWritten, 1, 0, 8),
                           place(PROF_BYTECODE_ARENA, 0, 100, 127) /* fits */})
    EXPECT_EQ(run(bad),
              bad[1] == 100 ? PROF_BYTECODE_GOOD : PROF_BYTECODE_BAD_PLACE);
  // An offset and a size whose sum does not have 32 bits.
  EXPECT_EQ(
      run({PROF_BYTECODE_ARENA + kWritten, 0xff, 0xff, 0xff, 0xff, 0x0f, 8}),
      PROF_BYTECODE_BAD_PLACE);
}

TEST(Bytecode, RefusesWritesToConstantsAndArguments) {
  for (uint8_t kind : {PROF_BYTECODE_ARGUMENT, PROF_BYTECODE_CONSTANT})
    EXPECT_EQ(
        check(join({header(),
                    dispatch(join({kArgument, kConstant,
                                   place(uint8_t(kind + kWritten), 0, 0, 8)})),
                    kEnd})),
        PROF_BYTECODE_BAD_PLACE);
  // This argument may be written.
  Bytes inPlace = {'M', 'P', 'B', PROF_BYTECODE_VERSION, 0, 0, 1, 17, 0, 1,
                   1,   0,   0};
  EXPECT_EQ(
      check(join(
          {inPlace,
           dispatch(join({kArgument, kConstant,
                          place(PROF_BYTECODE_ARGUMENT + kWritten, 0, 0, 8)})),
           kEnd})),
      PROF_BYTECODE_GOOD);
}

TEST(Bytecode, RefusesKernelsWithOtherOperands) {
  for (const Bytes &start :
       {Bytes{PROF_BYTECODE_DISPATCH, 1, 3, 1},
        Bytes{PROF_BYTECODE_DISPATCH, 0, 2, 1},
        Bytes{PROF_BYTECODE_DISPATCH, 0, 3, 0},
        Bytes{PROF_BYTECODE_DISPATCH, 0xff, 0xff, 0xff, 0xff, 0x0f, 3, 1}})
    EXPECT_EQ(
        check(
            join({header(), start, kArgument, kConstant, kInArena, {2}, kEnd})),
        PROF_BYTECODE_BAD_KERNEL);
  EXPECT_EQ(check(join({header(), {PROF_BYTECODE_WAIT + 1}, kEnd})),
            PROF_BYTECODE_BAD_STEP);
}

TEST(Bytecode, RefusesKernelsWithMoreOperandsThanItHolds) {
  Program program(join({header(), {PROF_BYTECODE_DISPATCH, 0, 33, 1}}));
  program.signature.bindings = 33;
  EXPECT_EQ(prof_bytecode_check(&program.program), PROF_BYTECODE_BAD_KERNEL);
}

TEST(Bytecode, RefusesOverlappingCopies) {
  auto copy = [](uint8_t from, uint8_t to, uint8_t bytes) {
    return check(join({header(),
                       {PROF_BYTECODE_COPY},
                       place(PROF_BYTECODE_ARENA, 0, from, 8),
                       place(PROF_BYTECODE_ARENA + kWritten, 0, to, bytes),
                       kEnd}));
  };
  EXPECT_EQ(copy(0, 8, 8), PROF_BYTECODE_GOOD);
  EXPECT_EQ(copy(0, 7, 8), PROF_BYTECODE_BAD_PLACE);
  EXPECT_EQ(copy(7, 0, 8), PROF_BYTECODE_BAD_PLACE);
  EXPECT_EQ(copy(0, 8, 9), PROF_BYTECODE_BAD_PLACE);
}

TEST(Bytecode, RefusesCountsThatDoNotFit) {
  Program program(makeProgram());
  program.program.constant_count = 2;
  EXPECT_EQ(prof_bytecode_check(&program.program), PROF_BYTECODE_BAD_COUNT);
}

TEST(Bytecode, RefusesNullAddresses) {
  Program program(makeProgram());
  int32_t argument[2] = {1, 2}, result[4] = {7, 7, 7, 7}, state[3];
  alignas(8) int32_t arena[75] = {};
  for (int missing = 0; missing != 5; ++missing) {
    void *bindings[] = {argument, result, state, arena};
    bindings[missing == 4 ? 3 : missing] = missing == 4 ? arena + 1 : nullptr;
    EXPECT_EQ(prof_bytecode_run(&program.program, bindings),
              PROF_BYTECODE_NULL);
  }
  EXPECT_EQ(prof_bytecode_run(&program.program, nullptr), PROF_BYTECODE_NULL);
  EXPECT_EQ(result[0], 7);
  EXPECT_EQ(arena[16], 0);
}

namespace {

/// `slot` = operation of `operands`, on 32 bits.
Bytes compute(uint8_t operation, uint8_t slot, const Bytes &operands,
              uint8_t bits = 32) {
  return join({{PROF_BYTECODE_COMPUTE, operation, slot, bits}, operands});
}

/// An operand.
Bytes known(uint8_t value) { return {0, uint8_t(value * 2)}; }
Bytes slot(uint8_t number) { return {uint8_t(number + 1)}; }

/// Number 0 of the state times number 0 of the argument by additions, as number
/// 0 of the result; number 1 is 7 if number 0 of the argument is even, else -1.
Bytes makeLoop() {
  Bytes toResult = {PROF_BYTECODE_COPY};
  return join(
      {header(),
       {PROF_BYTECODE_LOAD, 0, 32},
       place(PROF_BYTECODE_ARGUMENT, 0, 0, 4),
       {PROF_BYTECODE_LOAD, 1, 32},
       place(PROF_BYTECODE_STATE, 0, 0, 4),
       compute(PROF_BYTECODE_ASSIGN, 2, known(0)),
       compute(PROF_BYTECODE_AND, 3, join({slot(0), known(1)})),
       {PROF_BYTECODE_IF},
       slot(3),
       // -1.
       compute(PROF_BYTECODE_ASSIGN, 3, {0, 1}),
       kEnd,
       compute(PROF_BYTECODE_ASSIGN, 3, known(7)),
       kEnd,
       toResult,
       place(PROF_BYTECODE_ARENA, 0, 127, 4),
       place(PROF_BYTECODE_RESULT + kWritten, 0, 4, 4),
       {PROF_BYTECODE_WHILE},
       slot(3),
       compute(PROF_BYTECODE_LESS_SIGNED, 3, join({known(0), slot(0)}), 1),
       kEnd,
       compute(PROF_BYTECODE_ADD, 2, join({slot(2), slot(1)})),
       compute(PROF_BYTECODE_SUBTRACT, 0, join({slot(0), known(1)})),
       kEnd,
       toResult,
       place(PROF_BYTECODE_ARENA, 0, 127, 4),
       place(PROF_BYTECODE_RESULT + kWritten, 0, 0, 4),
       kEnd});
}

/// Makes the copies of makeLoop read slots 3 and 2.
Bytes finishLoop() {
  Bytes bytes = makeLoop();
  uint8_t offset = 128 + 24;
  for (size_t at = 0; at + 3 < bytes.size(); ++at)
    if (bytes[at] == PROF_BYTECODE_ARENA && bytes[at + 1] == 127) {
      bytes[at + 1] = offset | 128;
      bytes.insert(bytes.begin() + long(at) + 2, 1);
      offset = uint8_t(offset - 8);
    }
  return bytes;
}

} // namespace

TEST(Bytecode, RunsBranchesAndLoops) {
  Program program(finishLoop());
  for (int32_t count : {0, 1, 2, 5}) {
    int32_t argument[2] = {count}, result[4] = {}, state[3] = {-6};
    alignas(8) int32_t arena[75];
    void *bindings[] = {argument, result, state, arena};
    ASSERT_EQ(prof_bytecode_run(&program.program, bindings),
              PROF_BYTECODE_GOOD);
    EXPECT_EQ(result[0], -6 * count);
    EXPECT_EQ(result[1], count % 2 == 0 ? 7 : -1);
  }
}

TEST(Bytecode, ComputesNumbers) {
  struct Case {
    uint8_t operation, bits;
    Bytes operands;
    int64_t result;
  };
  // -1 and 256.
  const Bytes minusOne = {0, 1}, large = {0, 0x80, 4};
  for (const Case &test : std::vector<Case>{
           {PROF_BYTECODE_ADD, 8, join({known(63), known(65 - 2)}), 126},
           {PROF_BYTECODE_ADD, 8, join({large, known(63)}), 63},
           {PROF_BYTECODE_ADD, 64, join({large, minusOne}), 255},
           {PROF_BYTECODE_SUBTRACT, 32, join({known(2), known(5)}), -3},
           {PROF_BYTECODE_MULTIPLY, 16, join({large, large}), 0},
           {PROF_BYTECODE_MULTIPLY, 64, join({large, minusOne}), -256},
           {PROF_BYTECODE_OR, 64, join({known(5), known(10)}), 15},
           {PROF_BYTECODE_XOR, 64, join({known(7), minusOne}), -8},
           {PROF_BYTECODE_EQUAL, 1, join({known(7), known(7)}), 1},
           {PROF_BYTECODE_NOT_EQUAL, 1, join({known(7), known(7)}), 0},
           {PROF_BYTECODE_LESS_SIGNED, 1, join({minusOne, known(0)}), 1},
           {PROF_BYTECODE_LESS_UNSIGNED, 1, join({minusOne, known(0)}), 0},
           {PROF_BYTECODE_LESS_EQUAL_SIGNED, 1, join({known(3), known(3)}), 1},
           {PROF_BYTECODE_LESS_EQUAL_UNSIGNED, 1, join({minusOne, known(3)}),
            0},
           {PROF_BYTECODE_SELECT, 64, join({known(0), known(3), known(4)}), 4},
           {PROF_BYTECODE_SELECT, 64, join({known(9), known(3), known(4)}), 3},
           {PROF_BYTECODE_ASSIGN, 1, minusOne, 1}}) {
    Program program(join({header(),
                          compute(test.operation, 0, test.operands, test.bits),
                          {PROF_BYTECODE_COPY},
                          {PROF_BYTECODE_ARENA, 0x80, 1, 8},
                          place(PROF_BYTECODE_RESULT + kWritten, 0, 0, 8),
                          kEnd}));
    int32_t argument[2] = {}, state[3] = {};
    int64_t result[2] = {};
    alignas(8) int32_t arena[75];
    void *bindings[] = {argument, result, state, arena};
    ASSERT_EQ(prof_bytecode_run(&program.program, bindings),
              PROF_BYTECODE_GOOD);
    EXPECT_EQ(result[0], test.result) << int(test.operation);
  }
}

TEST(Bytecode, RefusesBadNumbers) {
  for (const Bytes &bad : {compute(PROF_BYTECODE_ASSIGN, 4, known(0)),
                           compute(PROF_BYTECODE_ASSIGN, 0, slot(4)),
                           compute(PROF_BYTECODE_ASSIGN, 0, known(0), 7),
                           join({{PROF_BYTECODE_LOAD, 4, 32},
                                 place(PROF_BYTECODE_ARENA, 0, 0, 4)}),
                           join({{PROF_BYTECODE_LOAD, 0, 65},
                                 place(PROF_BYTECODE_ARENA, 0, 0, 4)}),
                           join({{PROF_BYTECODE_IF}, slot(4), kEnd, kEnd})})
    EXPECT_EQ(check(join({header(), bad, kEnd})), PROF_BYTECODE_BAD_NUMBER);
  EXPECT_EQ(check(join({header(),
                        compute(PROF_BYTECODE_OPERATION_COUNT, 0,
                                join({known(0), known(0)})),
                        kEnd})),
            PROF_BYTECODE_BAD_STEP);
  EXPECT_EQ(check(join({header(),
                        {PROF_BYTECODE_LOAD, 0, 32},
                        place(PROF_BYTECODE_ARENA, 0, 0, 8),
                        kEnd})),
            PROF_BYTECODE_BAD_PLACE);
  // Slots that are not in the arena, or not aligned.
  for (uint8_t offset : {8, 124})
    EXPECT_EQ(check({'M', 'P', 'B', PROF_BYTECODE_VERSION, 124, 0, 0, 0, 1, 1,
                     15, offset, 0}),
              PROF_BYTECODE_BAD_COUNT);
}

TEST(Bytecode, RefusesDeepBlocks) {
  auto nest = [](unsigned depth) {
    Bytes bytes = header();
    for (unsigned i = 1; i != depth; ++i)
      bytes = join({bytes, {PROF_BYTECODE_IF}, slot(0)});
    for (unsigned i = 1; i != depth; ++i)
      bytes = join({bytes, kEnd, kEnd});
    return check(join({bytes, kEnd}));
  };
  EXPECT_EQ(nest(PROF_BYTECODE_DEPTH), PROF_BYTECODE_GOOD);
  EXPECT_EQ(nest(PROF_BYTECODE_DEPTH + 1), PROF_BYTECODE_TOO_DEEP);
}

TEST(Bytecode, KeepsStatesApart) {
  Program program(
      join({header(), dispatch(join({kArgument, kState, kInState})), kEnd}));
  int32_t argument[2] = {1, 2}, result[4] = {}, first[3] = {}, second[3] = {};
  alignas(8) int32_t arena[75];
  void *one[] = {argument, result, first, arena};
  void *other[] = {argument, result, second, arena};
  for (void **bindings : {one, other, one})
    ASSERT_EQ(prof_bytecode_run(&program.program, bindings),
              PROF_BYTECODE_GOOD);
  EXPECT_EQ(std::vector<int32_t>(first, first + 3),
            (std::vector<int32_t>{0, 2, 4}));
  EXPECT_EQ(second[2], 2);
}

/// A changed byte is refused, or a place elsewhere in the same memory.
TEST(Bytecode, StaysInsideAfterChanges) {
  Bytes whole = makeProgram();
  for (size_t at = 0; at != whole.size(); ++at)
    for (int value = 0; value != 256; ++value) {
      // Such a loop may not end.
      if (value == PROF_BYTECODE_WHILE)
        continue;
      Bytes changed = whole;
      changed[at] = uint8_t(value);
      Program program(changed);
      // Kernels read as much as the parameter says, which is theirs to check.
      if (prof_bytecode_check(&program.program) != PROF_BYTECODE_GOOD)
        continue;
      program.kernels[0] = [](void *const *, const int64_t *, uint32_t,
                              uint32_t, uint32_t) {};
      std::vector<uint8_t> argument(128), result(128), state(128);
      std::vector<uint64_t> arena(1 << 11);
      void *bindings[] = {argument.data(), result.data(), state.data(),
                          arena.data()};
      EXPECT_EQ(prof_bytecode_run(&program.program, bindings),
                PROF_BYTECODE_GOOD);
    }
}

TEST(Bytecode, NamesErrors) {
  for (int error = PROF_BYTECODE_GOOD; error <= PROF_BYTECODE_CANCELED; ++error)
    EXPECT_STRNE(prof_bytecode_text(error), "has an unknown error");
  EXPECT_STREQ(prof_bytecode_text(-1), "has an unknown error");
  EXPECT_STREQ(prof_bytecode_text(PROF_BYTECODE_CANCELED + 1),
               "has an unknown error");
}
