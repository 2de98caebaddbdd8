//===- Handler.cpp - From HTTP to the API ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handler.h"
#include "Form.h"
#include "Page.h"
#include "Response.h"
#include "llvm/ADT/STLExtras.h"

#include <cerrno>

using namespace mlirprof;
using namespace mlirprof::serve;

static constexpr uint64_t kMostBody = 1 << 20;
static constexpr double kHeaderSeconds = 30;
/// Uploads that are received at the same time: slow ones must leave threads to
/// other requests.
static constexpr unsigned kMostUploads = 4;
static constexpr double kUploadSeconds = 3600;
static constexpr llvm::StringLiteral kRoot = "/api/v1";

/// The connection that this thread serves: httplib's callbacks do not have it.
static thread_local Connection *current = nullptr;

/// The path of a request's target; `target` is as the client sent it.
static llvm::StringRef getPath(llvm::StringRef target) {
  return target.take_until([](char c) { return c == '?' || c == '#'; });
}

Handler::Handler(Api &api, const Access &access) : api(api), access(access) {
  set_payload_max_length(api.options.maxUpload);
  // Without a socket of its own, httplib believes that it is shutting down, and
  // stops writing files.
  svr_sock_ = 0;
  // Answers tell these; the loop decides.
  set_keep_alive_timeout(300);
  set_keep_alive_max_count(1000000);
  auto plain = [this](const httplib::Request &request,
                      httplib::Response &response) {
    respond(request, response, nullptr);
  };
  auto withBody = [this](const httplib::Request &request,
                         httplib::Response &response,
                         const httplib::ContentReader &body) {
    respond(request, response, &body);
  };
  Get(".*", plain);
  Options(".*", plain);
  Post(".*", withBody);
  Put(".*", withBody);
  Patch(".*", withBody);
  Delete(".*", withBody);
  set_pre_routing_handler(
      [this](const httplib::Request &request, httplib::Response &response) {
        return refuse(request, response) ? HandlerResponse::Handled
                                         : HandlerResponse::Unhandled;
      });
  set_error_handler([](const httplib::Request &, httplib::Response &response) {
    // Requests that httplib could not parse come here.
    current->mustClose = true;
    if (response.body.empty())
      response.set_content(answerError(requestError(400, "bad-request",
                                                    "the request is not "
                                                    "valid HTTP"))
                               .body,
                           "application/json");
  });
}

bool Handler::handle(Connection &connection) {
  connection.limit(Connection::kMostHeader, kHeaderSeconds);
  connection.mustClose = false;
  current = &connection;
  bool isClosed = false;
  bool isGood = process_request(
      connection, /*close_connection=*/false, isClosed,
      [&](httplib::Request &request) {
        bool isUpload =
            request.method == "POST" && request.is_multipart_form_data();
        connection.limit(isUpload ? api.options.maxUpload + kMostBody
                                  : kMostBody + Connection::kMostHeader,
                         isUpload ? kUploadSeconds : kBodySeconds);
        // It would be taken for the next request.
        bool hasBody = request.has_header("Transfer-Encoding") ||
                       request.get_header_value<uint64_t>("Content-Length") > 0;
        connection.mustClose =
            hasBody && (request.method == "GET" || request.method == "HEAD" ||
                        request.method == "OPTIONS");
        // httplib would compress by its own choice.
        connection.acceptedEncodings =
            request.get_header_value("Accept-Encoding");
        request.headers.erase("Accept-Encoding");
        // A range of an answer that is made anew is of no use.
        request.ranges.clear();
      });
  current = nullptr;
  connection.idleSince = Connection::Clock::now();
  return isGood && !isClosed && !connection.mustClose;
}

bool Handler::refuse(const httplib::Request &request,
                     httplib::Response &response) {
  std::optional<llvm::Error> error;
  llvm::StringRef path = getPath(request.target);
  if (!access.allowsHost(request.get_header_value("Host")))
    error = requestError(421, "bad-host",
                         "the service does not have the name of the request",
                         "Use the printed address, or allow the name with "
                         "--allow-host=NAME.");
  else if (path.starts_with(kRoot) &&
           !access.allowsToken(request.get_header_value("Authorization")) &&
           !access.allowsToken(request.get_param_value("token")))
    error = requestError(401, "bad-token", "the token is missing or wrong",
                         "Send the header 'Authorization: Bearer TOKEN'.");
  if (!error)
    return false;
  current->mustClose = true;
  show(request, answerError(std::move(*error)), *current, response);
  return true;
}

void Handler::showPage(const httplib::Request &request,
                       httplib::Response &response) {
  static const std::string policy = makeContentPolicy(getPage());
  Answer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body = getPage().str();
  show(request, std::move(answer), *current, response);
  response.headers.erase("Content-Security-Policy");
  response.set_header("Content-Security-Policy", policy);
}

llvm::Error Handler::readBody(const httplib::Request &request,
                              const httplib::ContentReader &body,
                              llvm::StringRef scratch, Request &to) {
  errno = 0;
  bool isGood = false;
  if (request.is_multipart_form_data()) {
    FormReader form(scratch, to);
    isGood = body(
                 [&](const httplib::MultipartFormData &part) {
                   return form.begin(part);
                 },
                 [&](const char *data, size_t size) {
                   return form.add(data, size);
                 }) &&
             form.closeFile();
  } else {
    isGood = body([&](const char *data, size_t size) {
      to.body.append(data, size);
      return to.body.size() <= kMostBody;
    });
  }
  if (isGood)
    return llvm::Error::success();
  current->mustClose = true;
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
    return llvm::errorCodeToError({errno, std::generic_category()});
  return requestError(413, "bad-body",
                      "the body is too large, cut off or not a form");
}

void Handler::respond(const httplib::Request &request,
                      httplib::Response &response,
                      const httplib::ContentReader *body) {
  auto [path, query] = llvm::StringRef(request.target).split('?');
  bool isGet = request.method == "GET" || request.method == "HEAD";
  if (isGet && (path == "/" || path == "/index.html"))
    return showPage(request, response);
  auto fail = [&](llvm::Error error) {
    current->mustClose |= body != nullptr;
    show(request, answerError(std::move(error)), *current, response);
  };
  if (!path.consume_front(kRoot))
    return fail(requestError(404, "no-route", "there is nothing here",
                             "The page is at /, the API at /api/v1."));
  Request asked;
  asked.method = isGet ? "GET" : request.method;
  asked.path = path.str();
  auto fields = parseQuery(query);
  if (!fields || fields->size() > 64)
    return fail(requestError(400, "bad-parameter",
                             "the query of the address is not valid"));
  // Browsers download without headers of a page's choice.
  llvm::erase_if(*fields,
                 [](const auto &field) { return field.first == "token"; });
  asked.parameters = std::move(*fields);
  if (!body)
    return show(request, answer(api, std::move(asked)), *current, response);
  // A page of another origin could send a form without asking first.
  std::string origin = request.get_header_value("Origin");
  llvm::StringRef from = llvm::StringRef(origin).split("://").second;
  if (!origin.empty() && from != request.get_header_value("Host"))
    return fail(requestError(403, "bad-origin",
                             "a page of another origin sent the request"));
  std::optional<Place> place;
  if (request.is_multipart_form_data())
    place.emplace(api.uploads, kMostUploads);
  if (place && !place->isFree)
    return fail(requestError(503, "busy", "other uploads are being received",
                             "Try again in a few seconds."));
  std::optional<ScratchFolder> scratch;
  // Others must not fail on a full disk.
  if (place) {
    auto made = api.store.makeScratch();
    if (!made)
      return fail(made.takeError());
    scratch.emplace(std::move(*made));
  }
  bool hasBody = request.has_header("Content-Length") ||
                 request.has_header("Transfer-Encoding");
  if (hasBody)
    if (llvm::Error error =
            readBody(request, *body, scratch ? scratch->getPath() : "", asked))
      return fail(std::move(error));
  show(request, answer(api, std::move(asked)), *current, response);
}
