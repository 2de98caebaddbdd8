//===- MemoryFunctions.cpp - memcpy and its like for packages -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryFunctions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;

/// In each function words come first, then the bytes that are left. {0} is the
/// type of sizes.
static constexpr StringLiteral kFunctions = R"(
define ptr @memcpy(ptr %to, ptr %from, {0} %size) #0 {{
  %to.address = ptrtoint ptr %to to {0}
  %from.address = ptrtoint ptr %from to {0}
  %addresses = or {0} %to.address, %from.address
  %odd = and {0} %addresses, 3
  %aligned = icmp eq {0} %odd, 0
  %even = and {0} %size, -4
  %bytes.begin = select i1 %aligned, {0} %even, {0} 0
  br label %words
words:
  %i = phi {0} [ 0, %0 ], [ %i.next, %word ]
  %i.more = icmp ult {0} %i, %bytes.begin
  br i1 %i.more, label %word, label %bytes
word:
  %word.from = getelementptr i8, ptr %from, {0} %i
  %word.to = getelementptr i8, ptr %to, {0} %i
  %word.value = load i32, ptr %word.from, align 4
  store i32 %word.value, ptr %word.to, align 4
  %i.next = add {0} %i, 4
  br label %words
bytes:
  %j = phi {0} [ %i, %words ], [ %j.next, %byte ]
  %j.more = icmp ult {0} %j, %size
  br i1 %j.more, label %byte, label %end
byte:
  %byte.from = getelementptr i8, ptr %from, {0} %j
  %byte.to = getelementptr i8, ptr %to, {0} %j
  %byte.value = load i8, ptr %byte.from
  store i8 %byte.value, ptr %byte.to
  %j.next = add {0} %j, 1
  br label %bytes
end:
  ret ptr %to
}

define ptr @memset(ptr %to, i32 %value, {0} %size) #0 {{
  %value.byte = trunc i32 %value to i8
  %value.low = and i32 %value, 255
  %value.word = mul i32 %value.low, 16843009
  %address = ptrtoint ptr %to to {0}
  %odd = and {0} %address, 3
  %aligned = icmp eq {0} %odd, 0
  %even = and {0} %size, -4
  %bytes.begin = select i1 %aligned, {0} %even, {0} 0
  br label %words
words:
  %i = phi {0} [ 0, %0 ], [ %i.next, %word ]
  %i.more = icmp ult {0} %i, %bytes.begin
  br i1 %i.more, label %word, label %bytes
word:
  %word.to = getelementptr i8, ptr %to, {0} %i
  store i32 %value.word, ptr %word.to, align 4
  %i.next = add {0} %i, 4
  br label %words
bytes:
  %j = phi {0} [ %i, %words ], [ %j.next, %byte ]
  %j.more = icmp ult {0} %j, %size
  br i1 %j.more, label %byte, label %end
byte:
  %byte.to = getelementptr i8, ptr %to, {0} %j
  store i8 %value.byte, ptr %byte.to
  %j.next = add {0} %j, 1
  br label %bytes
end:
  ret ptr %to
}

define ptr @memmove(ptr %to, ptr %from, {0} %size) #0 {{
  %to.address = ptrtoint ptr %to to {0}
  %from.address = ptrtoint ptr %from to {0}
  %distance = sub {0} %to.address, %from.address
  %forward = icmp uge {0} %distance, %size
  br i1 %forward, label %copy, label %bytes
copy:
  %copied = call ptr @memcpy(ptr %to, ptr %from, {0} %size)
  ret ptr %to
bytes:
  %i = phi {0} [ %size, %0 ], [ %i.next, %byte ]
  %done = icmp eq {0} %i, 0
  br i1 %done, label %end, label %byte
byte:
  %i.next = sub {0} %i, 1
  %byte.from = getelementptr i8, ptr %from, {0} %i.next
  %byte.to = getelementptr i8, ptr %to, {0} %i.next
  %byte.value = load i8, ptr %byte.from
  store i8 %byte.value, ptr %byte.to
  br label %bytes
end:
  ret ptr %to
}

attributes #0 = {{ nounwind optsize "no-builtins" }
)";

std::string deploy::writeMemoryFunctions(unsigned addressBits) {
  return formatv(kFunctions.data(), "i" + std::to_string(addressBits));
}
