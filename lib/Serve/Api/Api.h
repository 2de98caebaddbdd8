//===- Api.h - Requests, answers and routes ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Independent of HTTP's wire format: the server, the page in one file and tests
// ask the same routes.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_API_API_H
#define MLIR_PROF_LIB_SERVE_API_API_H

#include "mlir-prof/Serve/Serve.h"
#include "mlir-prof/Serve/Store.h"
#include "llvm/Support/JSON.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::serve {

class SessionCache;

/// A file of a multipart body, which the server wrote to the store's scratch
/// folder as it came.
struct UploadedFile {
  std::string name;
  std::string fileName;
  std::string path;
};

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;
  /// Below /api/v1, with its escapes.
  std::string path;
  /// The query of the address, without escapes.
  Fields parameters;
  std::string body;
  /// The texts and files of a multipart body.
  Fields fields;
  std::vector<UploadedFile> files;
  /// The values of the path's {names}, set by answer().
  std::vector<std::string> captures;
  /// Whether the answer goes into a file, whole: limits on rows and lines that
  /// keep answers short do not apply.
  bool isForFile = false;

  /// The first value of a parameter, "" without one.
  llvm::StringRef get(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const;
  std::vector<std::string> getAll(llvm::StringRef name) const;
  /// The value of a parameter that answer() has checked.
  int64_t getInteger(llvm::StringRef name, int64_t absent) const;
};

struct Answer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  /// The name under which browsers save it; "" if they show it.
  std::string fileName;
  /// The file that is the body, if not "".
  std::string file;
  /// Whether it is the same as long as the profile exists.
  bool isFixed = false;
};

/// An error of a request, with the status of HTTP and a key for programs.
class RequestError : public llvm::ErrorInfo<RequestError> {
public:
  static char ID;
  RequestError(unsigned status, std::string code, std::string message,
               std::string hint)
      : status(status), code(std::move(code)), message(std::move(message)),
        hint(std::move(hint)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::invalid_argument);
  }

  unsigned status;
  std::string code;
  std::string message;
  std::string hint;
};
llvm::Error requestError(unsigned status, const llvm::Twine &code,
                         const llvm::Twine &message,
                         const llvm::Twine &hint = "");

/// {code, message, hint} with a fitting status.
Answer answerError(llvm::Error error);

enum class ParameterType : uint8_t { Text, Integer, Flag };

struct RouteParameter {
  llvm::StringRef name;
  llvm::StringRef description;
  ParameterType type = ParameterType::Text;
  int64_t minimum = 0;
  int64_t maximum = INT64_MAX;
  bool isRequired = false;
  /// Whether it may be given several times.
  bool isRepeated = false;
};

/// The state that the routes share.
struct Api {
  Store &store;
  SessionCache &sessions;
  const ServeOptions &options;
  /// Uploads that are being received.
  std::atomic<unsigned> uploads{0};
  /// Uploads that are being read.
  std::atomic<unsigned> imports{0};
  /// Queries of SQL that are running.
  std::atomic<unsigned> queries{0};
};

/// Holds one of `most` places, if one is free.
class Place {
public:
  Place(std::atomic<unsigned> &used, unsigned most)
      : isFree(used.fetch_add(1) < most), used(used) {}
  Place(const Place &) = delete;
  Place &operator=(const Place &) = delete;
  ~Place() { used.fetch_sub(1); }

  const bool isFree;

private:
  std::atomic<unsigned> &used;
};

/// The type of the body that a route reads.
enum class BodyType : uint8_t { None, Json, Form };

struct Route {
  llvm::StringRef method;
  /// With {names} for parts that vary.
  llvm::StringRef path;
  llvm::StringRef summary;
  std::vector<RouteParameter> parameters;
  llvm::Expected<Answer> (*run)(Api &api, const Request &request) = nullptr;
  BodyType body = BodyType::None;
  /// JSON Schema of the properties of the body.
  llvm::StringRef bodyProperties = "";
  /// The status of success, and its type.
  unsigned status = 200;
  llvm::StringRef type = "application/json";
};

/// All routes. To add one, add a file in lib/Serve/Routes and a line in
/// Routes.def there.
llvm::ArrayRef<Route> getRoutes();

/// Checks a request and runs its route. Unknown parameters, and values that do
/// not fit, are errors.
Answer answer(Api &api, Request request);

/// Decodes %XX, and '+' if `isQuery`; none for a broken escape and for zero.
std::optional<std::string> decodeUrl(llvm::StringRef text, bool isQuery);
/// Splits the query of a URL; none if an escape is broken.
std::optional<Fields> parseQuery(llvm::StringRef query);

/// The profile of the path's first part; an error without one. Unless
/// `state` says otherwise, a quarantined one is an error, too.
enum class AnyState : uint8_t { No, Yes };
llvm::Expected<StoredProfile> findProfile(Api &api, const Request &request,
                                          AnyState state = AnyState::No);

/// An answer with what `write` writes.
Answer makeJson(llvm::function_ref<void(llvm::json::OStream &)> write);
/// The body as an object; an error if it is something else, or too deep.
llvm::Expected<llvm::json::Object> parseBody(const Request &request);

/// Integers that JavaScript cannot hold become texts.
void writeInteger(llvm::json::OStream &json, int64_t value);
void writeInteger(llvm::json::OStream &json, llvm::StringRef name,
                  int64_t value);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_API_API_H
