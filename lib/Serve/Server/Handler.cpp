//===- Handler.cpp - From HTTP to the API ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handler.h"
#include "Page.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace mlirprof;
using namespace mlirprof::serve;

static constexpr uint64_t kMostBody = 1 << 20;
static constexpr double kHeaderSeconds = 30;
static constexpr double kBodySeconds = 60;
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
  show(request, answerError(std::move(*error)), response);
  return true;
}

/// Compresses by zlib; empty if that fails.
static std::string compress(const std::string &text) {
  z_stream stream = {};
  // 16: with the header of gzip.
  if (deflateInit2(&stream, 3, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return "";
  std::string out(deflateBound(&stream, uLong(text.size())), 0);
  stream.next_in = (Bytef *)text.data();
  stream.avail_in = uInt(text.size());
  stream.next_out = (Bytef *)out.data();
  stream.avail_out = uInt(out.size());
  bool isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(isDone ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

/// Sends a file in pieces.
static void sendFile(const std::string &path, httplib::Response &response) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  off_t size = descriptor < 0 ? -1 : ::lseek(descriptor, 0, SEEK_END);
  if (size < 0) {
    response.status = 404;
    return;
  }
  response.set_content_provider(
      size_t(size), "application/octet-stream",
      [descriptor](size_t offset, size_t length, httplib::DataSink &sink) {
        char buffer[65536];
        ssize_t count =
            ::pread(descriptor, buffer, std::min(length, sizeof(buffer)),
                    off_t(offset));
        // Each piece may take its own time.
        current->limit(0, kBodySeconds);
        return count > 0 && sink.write(buffer, size_t(count));
      },
      [descriptor](bool) { ::close(descriptor); });
}

void Handler::show(const httplib::Request &request, Answer answer,
                   httplib::Response &response) {
  response.status = int(answer.status);
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cache-Control", "private, no-cache");
  if (answer.type == "application/json")
    response.set_header("Content-Security-Policy", "default-src 'none'");
  if (!answer.fileName.empty())
    response.set_header("Content-Disposition",
                        "attachment; filename=\"" + answer.fileName + "\"");
  if (!answer.file.empty())
    return sendFile(answer.file, response);
  if (request.method == "GET" && answer.status == 200) {
    std::string tag = "\"" + contentHash(answer.body) + "\"";
    response.set_header("ETag", tag);
    response.set_header("Vary", "Accept-Encoding");
    if (request.get_header_value("If-None-Match").find(tag) !=
        std::string::npos) {
      response.status = 304;
      return;
    }
  }
  constexpr size_t kWorthIt = 1400;
  if (answer.body.size() >= kWorthIt &&
      current->acceptedEncodings.find("gzip") != std::string::npos)
    if (std::string small = compress(answer.body); !small.empty()) {
      answer.body = std::move(small);
      response.set_header("Content-Encoding", "gzip");
    }
  response.set_content(std::move(answer.body), answer.type);
}

void Handler::showPage(const httplib::Request &request,
                       httplib::Response &response) {
  static const std::string policy = makeContentPolicy(getPage());
  Answer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body = getPage().str();
  show(request, std::move(answer), response);
  response.headers.erase("Content-Security-Policy");
  response.set_header("Content-Security-Policy", policy);
}

namespace {
/// Writes the files of a form as they come, and keeps its fields.
class FormReader {
public:
  FormReader(llvm::StringRef scratch, Request &to) : scratch(scratch), to(to) {}
  ~FormReader() { closeFile(); }

  bool begin(const httplib::MultipartFormData &part);
  bool add(const char *data, size_t size);
  bool closeFile();

private:
  llvm::StringRef scratch;
  Request &to;
  int descriptor = -1;
  static constexpr size_t kMostField = 1000;
  static constexpr size_t kMostParts = 16;
};
} // namespace

bool FormReader::closeFile() {
  int closing = std::exchange(descriptor, -1);
  return closing < 0 || ::close(closing) == 0;
}

/// A name without the parts that could name another place. Its end tells the
/// format of some files.
static std::string makeFileName(llvm::StringRef name) {
  constexpr size_t kMostName = 100;
  name = name.rsplit('/').second.empty() ? name : name.rsplit('/').second;
  std::string safe;
  for (char c : name.take_back(kMostName))
    safe += llvm::isAlnum(c) || c == '-' || c == '.' ? c : '_';
  if (safe.empty() || safe.front() == '.' || safe.front() == '-')
    safe = "_" + safe;
  return safe;
}

bool FormReader::begin(const httplib::MultipartFormData &part) {
  if (!closeFile() || to.files.size() + to.fields.size() == kMostParts)
    return false;
  if (part.filename.empty()) {
    to.fields.emplace_back(part.name, "");
    return true;
  }
  std::string path = scratch.str() + "/" + std::to_string(to.files.size());
  if (::mkdir(path.c_str(), 0700) != 0)
    return false;
  path += "/" + makeFileName(part.filename);
  descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  to.files.push_back({part.name, part.filename, path});
  return descriptor >= 0;
}

bool FormReader::add(const char *data, size_t size) {
  if (descriptor < 0) {
    if (to.fields.empty() || to.fields.back().second.size() + size > kMostField)
      return false;
    to.fields.back().second.append(data, size);
    return true;
  }
  while (size != 0) {
    ssize_t count = ::write(descriptor, data, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    data += count;
    size -= size_t(count);
  }
  return true;
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
  if (errno == ENOSPC || errno == EDQUOT)
    return requestError(507, "disk-full", "the disk of the store is full");
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
    show(request, answerError(std::move(error)), response);
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
    return show(request, answer(api, std::move(asked)), response);
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
  auto scratch = api.store.makeScratch();
  if (!scratch)
    return fail(scratch.takeError());
  bool hasBody = request.has_header("Content-Length") ||
                 request.has_header("Transfer-Encoding");
  if (hasBody)
    if (llvm::Error error = readBody(request, *body, scratch->getPath(), asked))
      return fail(std::move(error));
  show(request, answer(api, std::move(asked)), response);
}
