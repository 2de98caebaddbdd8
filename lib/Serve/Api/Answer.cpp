//===- Answer.cpp - Answers in JSON ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Api.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Support/Error.h"

#include <cerrno>

using namespace mlirprof;
using namespace mlirprof::serve;

char RequestError::ID;

llvm::Error serve::requestError(unsigned status, const llvm::Twine &code,
                                const llvm::Twine &message,
                                const llvm::Twine &hint) {
  return llvm::make_error<RequestError>(status, code.str(), message.str(),
                                        hint.str());
}

Answer serve::makeJson(llvm::function_ref<void(llvm::json::OStream &)> write) {
  Answer answer;
  llvm::raw_string_ostream os(answer.body);
  llvm::json::OStream json(os);
  json.object([&] { write(json); });
  return answer;
}

static Answer makeError(unsigned status, llvm::StringRef code,
                        llvm::StringRef message, llvm::StringRef hint) {
  Answer answer = makeJson([&](llvm::json::OStream &json) {
    report::writeText(json, "code", code);
    report::writeText(json, "message", message);
    report::writeText(json, "hint", hint);
  });
  answer.status = status;
  return answer;
}

/// Whether there is no space left, or none that the service may use.
static bool isFull(std::error_code code) {
  return code == std::errc::no_space_on_device ||
         code == std::errc::file_too_large ||
         code == std::error_code(EDQUOT, std::generic_category());
}

Answer serve::answerError(llvm::Error error) {
  Answer answer;
  llvm::handleAllErrors(
      std::move(error),
      [&](const RequestError &error) {
        answer = makeError(error.status, error.code, error.message, error.hint);
      },
      [&](const InputError &error) {
        std::string where = error.getWhere().str();
        answer = makeError(400, "bad-request",
                           where.empty() ? error.getWhat().str()
                                         : where + ": " + error.getWhat().str(),
                           error.getHint());
      },
      [&](const llvm::ECError &error) {
        answer =
            isFull(error.convertToErrorCode())
                ? makeError(507, "disk-full", "the disk of the store is full",
                            "Free space on it, or delete profiles.")
                : makeError(400, "bad-request", error.message(), "");
      },
      [&](const llvm::ErrorInfoBase &error) {
        answer = makeError(400, "bad-request", error.message(), "");
      });
  return answer;
}

/// Whether JavaScript's numbers hold it.
static bool isSafe(int64_t value) {
  constexpr int64_t kLargest = int64_t(1) << 53;
  return value >= -kLargest && value <= kLargest;
}

void serve::writeInteger(llvm::json::OStream &json, int64_t value) {
  if (isSafe(value))
    json.value(value);
  else
    json.value(std::to_string(value));
}

void serve::writeInteger(llvm::json::OStream &json, llvm::StringRef name,
                         int64_t value) {
  if (isSafe(value))
    json.attribute(name, value);
  else
    json.attribute(name, std::to_string(value));
}
