//===- StyleTest.cpp - Styles of tables of scopes -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Scope/Styles.h"

#include <sstream>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {
class Session {
public:
  Session() { EXPECT_EQ(prof_scope_start(nullptr, nullptr), 0); }
  ~Session() { prof_scope_stop(nullptr); }
};
} // namespace

static void spend(int64_t ns) { simulatedNs += ns; }

static std::string writeText(std::string_view style, const Recording &recording,
                             const StyleOptions &options = {}) {
  StyledText text;
  std::optional<Problem> problem =
      writeStyled(style, {&recording}, options, text);
  EXPECT_FALSE(problem);
  return text.text;
}

/// Two minutes of "a" with "b" in it, and one of "c".
static Recording makeMinutes() {
  constexpr int64_t kMinute = 60000000000;
  Session session;
  {
    PROF_SCOPE("a");
    spend(kMinute);
    PROF_SCOPE("b");
    spend(kMinute);
  }
  {
    PROF_SCOPE("c");
    spend(kMinute);
  }
  return readScopes();
}

TEST(Styles, Tvm) {
  SimulatedClock clock;
  Recording recording = makeMinutes();
  EXPECT_EQ(writeText("tvm", recording),
            " ID |  Name | Time (min) | Percentage \n"
            "--------------------------------------\n"
            "    | Total |     3.0000 |   100.0000 \n"
            "  1 |     a |     2.0000 |    66.6667 \n"
            "  2 |     b |     1.0000 |    33.3333 \n"
            "  3 |     c |     1.0000 |    33.3333 \n"
            "--------------------------------------");
  StyleOptions options;
  options.unit = "s";
  // A total that scopes exceed is the first nevertheless.
  options.totalPs = 60000000000000;
  EXPECT_EQ(writeText("tvm", recording, options),
            " ID |  Name | Time (s) | Percentage \n"
            "------------------------------------\n"
            "    | Total |  60.0000 |   100.0000 \n"
            "  1 |     a | 120.0000 |   200.0000 \n"
            "  2 |     b |  60.0000 |   100.0000 \n"
            "  3 |     c |  60.0000 |   100.0000 \n"
            "------------------------------------");
  options.totalPs = 0;
  EXPECT_EQ(writeText("tvm", recording, options).find("nan"),
            std::string::npos);
  EXPECT_EQ(writeText("tvm", Recording()),
            " ID |  Name | Time (min) | Percentage \n"
            "--------------------------------------\n"
            "    | Total |     0.0000 |   100.0000 \n"
            "--------------------------------------");
}

static std::string writeText(std::string_view style,
                             const Recordings &recordings,
                             const StyleOptions &options = {}) {
  StyledText text;
  EXPECT_FALSE(writeStyled(style, recordings, options, text));
  return text.text;
}

/// The time between sessions, and that in which they overlap, does not matter.
TEST(Styles, TvmTotalIsTheSumOfSessions) {
  SimulatedClock clock;
  Recording first = makeMinutes(), second = first, third = first;
  second.clock.anchorNs += 4800 * int64_t(60000000000);
  third.clock.anchorNs -= 60000000000;
  EXPECT_EQ(writeText("tvm", Recordings{&first, &second, &third}),
            " ID |  Name | Time (min) | Percentage \n"
            "--------------------------------------\n"
            "    | Total |     9.0000 |   100.0000 \n"
            "  1 |     a |     6.0000 |    66.6667 \n"
            "  2 |     b |     3.0000 |    33.3333 \n"
            "  3 |     c |     3.0000 |    33.3333 \n"
            "--------------------------------------");
}

/// The cells of the first line that begins with `name`, without its spaces.
static std::vector<std::string> findLine(const std::string &text,
                                         const std::string &name) {
  std::istringstream lines(text);
  for (std::string line, word; std::getline(lines, line);) {
    std::vector<std::string> words;
    for (std::istringstream rest(line); rest >> word;)
      words.push_back(word);
    if (!words.empty() && words.front() == name)
      return words;
  }
  return {};
}

using Words = std::vector<std::string>;

/// Two scopes of 1 s, in steps; or without them, and 18 s more.
static Recording makeSteps(bool hasSteps) {
  constexpr int64_t kSecond = 1000000000;
  Session session;
  for (int count = 0; count != 2; ++count) {
    std::optional<Scope> step;
    if (hasSteps)
      step.emplace("step", ScopeType::ProfileStep);
    Scope user("user", ScopeType::PythonUserDefined);
    spend(kSecond);
  }
  if (!hasSteps) {
    Scope user("user", ScopeType::PythonUserDefined);
    spend(18 * kSecond);
  }
  return readScopes();
}

TEST(Styles, SummaryOfSeveralRecordings) {
  SimulatedClock clock;
  Recording one = makeSteps(/*hasSteps=*/true), two = one;
  StyleOptions options;
  options.unit = "s";
  // Both at the same time: each has its own whole.
  std::string text =
      writeText("paddle-summary", Recordings{&one, &two}, options);
  EXPECT_EQ(findLine(text, "ProfileStep"),
            (Words{"ProfileStep", "4", "4.00", "100.00"}));
  EXPECT_EQ(findLine(text, "user"),
            (Words{"user", "4",    "4.00", "/",      "1.00", "/",   "1.00",
                   "/",    "1.00", "/",    "100.00", "0.00", "/",   "0.00",
                   "/",    "0.00", "/",    "0.00",   "/",    "0.00"}));
  // One without steps: 2 s of steps are not the whole of 22 s.
  two = makeSteps(/*hasSteps=*/false);
  StyledText styled;
  EXPECT_FALSE(writeStyled("paddle-summary", {&one, &two}, options, styled));
  EXPECT_EQ(findLine(styled.text, "ProfileStep"),
            (Words{"ProfileStep", "2", "2.00", "9.09"}));
  EXPECT_EQ(findLine(styled.text, "user")[10], "100.00");
  ASSERT_EQ(styled.notes.size(), 1u);
  EXPECT_EQ(styled.notes[0], "a recording does not have steps: ratios are "
                             "those of the time during which a scope ran");
}

TEST(Styles, OpenScopesAlone) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  Scope open("open");
  spend(1000);
  Recording recording = readScopes();
  prof_scope_stop(nullptr);
  ASSERT_EQ(recording.events.size(), 1u);
  StyledText styled;
  EXPECT_FALSE(writeStyled("paddle-report", {&recording}, {}, styled));
  EXPECT_EQ(styled.text.find("thread0::open"), std::string::npos);
}

/// Scopes "step" of 1 s with 200 ms of "user" in each, without events.
TEST(Styles, StatisticsAlone) {
  constexpr int64_t kMillisecond = 1000000;
  SimulatedClock clock;
  prof_scope_options statistics = PROF_SCOPE_OPTIONS;
  statistics.modes = PROF_SCOPE_STATISTICS;
  ASSERT_EQ(prof_scope_start(&statistics, nullptr), 0);
  for (int count = 0; count != 4; ++count) {
    Scope step("step", ScopeType::ProfileStep);
    spend(800 * kMillisecond);
    Scope user("user", ScopeType::PythonUserDefined);
    spend(200 * kMillisecond);
  }
  Recording recording = readScopes();
  prof_scope_stop(nullptr);
  std::string note = "rows are by name where a recording has statistics alone: "
                     "paths need events";
  StyledText styled;
  EXPECT_FALSE(writeStyled("paddle-report", {&recording}, {}, styled));
  EXPECT_EQ(findLine(styled.text, "thread0::step"),
            (Words{"thread0::step", "4", "4000", "1000", "1000", "1000", "1"}));
  EXPECT_EQ(findLine(styled.text, "thread0::user"),
            (Words{"thread0::user", "4", "800", "200", "200", "200", "0.2"}));
  EXPECT_EQ(styled.notes, Words{note});
  EXPECT_FALSE(writeStyled("paddle-summary", {&recording}, {}, styled));
  EXPECT_EQ(findLine(styled.text, "ProfileStep"),
            (Words{"ProfileStep", "4", "4000.00", "100.00"}));
  EXPECT_EQ(findLine(styled.text, "PythonUserDefined"),
            (Words{"PythonUserDefined", "4", "800.00", "20.00"}));
  EXPECT_EQ(
      findLine(styled.text, "user"),
      (Words{"user", "4",      "800.00", "/",     "200.00", "/",   "200.00",
             "/",    "200.00", "/",      "20.00", "0.00",   "/",   "0.00",
             "/",    "0.00",   "/",      "0.00",  "/",      "0.00"}));
  EXPECT_EQ(styled.notes, Words{note});
}

TEST(Styles, SamplesAndRingsAreTold) {
  SimulatedClock clock;
  auto recordTwenty = [](const prof_scope_options &options) {
    EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
    for (int count = 0; count != 20; ++count) {
      PROF_SCOPE("outer");
      spend(1000);
      PROF_SCOPE("inner");
      spend(1000);
    }
    Recording recording = readScopes();
    prof_scope_stop(nullptr);
    return recording;
  };
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS;
  options.sample_every = 5;
  Recording both = recordTwenty(options);
  ASSERT_EQ(both.sampleEvery, 5u);
  StyledText styled;
  EXPECT_FALSE(writeStyled("tree", {&both}, {}, styled));
  EXPECT_NE(styled.text.find("   20  40.000  20.000  "), std::string::npos)
      << styled.text;
  EXPECT_NE(styled.text.find("   20  20.000  20.000  "), std::string::npos)
      << styled.text;
  EXPECT_EQ(styled.notes,
            Words{"rows are by name, of statistics: paths need all events, and "
                  "percentiles are within 6 %"});
  auto endsWith = [](const std::string &text, const std::string &end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
  };
  Recording ring = both;
  ring.threads[0].overwritten = 12;
  for (const Style &style : getStyles()) {
    bool isBest =
        style.name == std::string("tree") || style.name == std::string("tvm");
    std::string end =
        std::string("\nnote: 12 records were overwritten in rings, two a scope "
                    "at most\nnote: events are a sample, 1 of 5") +
        (isBest ? "; calls and times are those of statistics\n"
                : " scopes of a name on a thread\n");
    std::string text = writeText(style.name, ring);
    EXPECT_TRUE(endsWith(text, end)) << text;
  }
  options.modes = PROF_SCOPE_EVENTS;
  Recording sample = recordTwenty(options);
  std::string text = writeText("tvm", sample);
  EXPECT_TRUE(endsWith(text, "-\nnote: events are a sample, 1 of 5 scopes of a "
                             "name on a thread\n"))
      << text;
}

/// Recordings with events, with statistics alone and with a sample are one
/// table, which says so.
TEST(Styles, StatisticsAndEventsAreTold) {
  SimulatedClock clock;
  auto recordTwo = [](uint32_t modes, uint32_t sampleEvery, int64_t ns) {
    prof_scope_options options = PROF_SCOPE_OPTIONS;
    options.modes = modes;
    options.sample_every = sampleEvery;
    EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
    for (int count = 0; count != 2; ++count) {
      PROF_SCOPE("outer");
      spend(ns);
      PROF_SCOPE("inner");
      spend(ns);
    }
    Recording recording = readScopes();
    prof_scope_stop(nullptr);
    return recording;
  };
  Recording events = recordTwo(PROF_SCOPE_EVENTS, 0, 100);
  Recording statistics = recordTwo(PROF_SCOPE_STATISTICS, 0, 1000);
  Recording both =
      recordTwo(PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS, 2, 10000);
  Recordings all = {&events, &statistics, &both};
  StyledText styled;
  EXPECT_FALSE(writeStyled("tree", all, {}, styled));
  // 2 * 2 * (0.1 + 1 + 10) us, and half of it.
  EXPECT_NE(styled.text.find("    6  44.400  22.200  0.200  "),
            std::string::npos)
      << styled.text;
  EXPECT_NE(styled.text.find("    6  22.200  22.200  0.100  "),
            std::string::npos)
      << styled.text;
  EXPECT_EQ(styled.notes,
            Words{"rows are by name, as those of 2 of 3 recordings are of "
                  "statistics: paths need all events, and percentiles are "
                  "within 6 %"});
  std::string note = "note: events are a sample, 1 of 2; calls and times are "
                     "those of statistics\n";
  EXPECT_EQ(styled.text.substr(styled.text.size() - note.size()), note);
  EXPECT_FALSE(writeStyled("tvm", all, {}, styled));
  EXPECT_TRUE(styled.notes.empty());
  EXPECT_TRUE(describeBestTable({&events}).names.empty());
  EXPECT_TRUE(describeBestTable({&events, &statistics}).missing.empty());
}

TEST(Styles, Tree) {
  SimulatedClock clock;
  Session session;
  for (int count = 1; count <= 3; ++count) {
    PROF_SCOPE("step");
    spend(1000);
    PROF_SCOPE("load");
    spend(count * 500);
  }
  Scope open("left open");
  std::thread([context = here()] {
    ContextGuard guard(context);
    PROF_SCOPE("worker");
    spend(2000);
  }).join();
  Recording recording = readScopes();
  EXPECT_EQ(
      writeText("tree", recording),
      "times in us, without what recording took\n"
      "calls  total   self    min  average    p50    p90    p99    max  scope\n"
      "    3  6.000  3.000  1.500    2.000  2.000  2.500  2.500  2.500  step\n"
      "    3  3.000  3.000  0.500    1.000  1.000  1.500  1.500  1.500    "
      "load\n"
      "    0  0.000  0.000  0.000    0.000  0.000  0.000  0.000  0.000  left "
      "open (1 open for 2.000) (1 on other threads for 2.000)\n"
      "    1  2.000  2.000  2.000    2.000  2.000  2.000  2.000  2.000    "
      "worker\n");
}

TEST(Styles, NamesAreSafe) {
  SimulatedClock clock;
  Session session;
  for (const std::string &name :
       {std::string("quote \" <b>&amp;</b>"), std::string("new\nline"),
        std::string("nul\0inside", 10), std::string("\x1b[2Jclear"),
        std::string("\xff\xfe no UTF-8"), std::string(1 << 20, 'x'),
        std::string("%unique%"), std::string("\u202ereverse")})
    for (ScopeType type : {ScopeType::Operator, ScopeType::ProfileStep,
                           ScopeType::PythonUserDefined})
      for (ScopeRole role : {ScopeRole::UniqueOp, ScopeRole::InnerOp}) {
        Scope around("around", type);
        Scope one(name, type, 1, role);
        spend(5);
      }
  Recording recording = readScopes();
  for (const Style &style : getStyles())
    for (bool isSeparate : {false, true}) {
      StyleOptions options;
      options.separatesThreads = isSeparate;
      std::string text = writeText(style.name, recording, options);
      EXPECT_LT(text.size(), 200000u) << style.name;
      EXPECT_NE(text.find("quote \" <b>"), std::string::npos) << style.name;
      EXPECT_NE(text.find("..."), std::string::npos) << style.name;
      for (char byte : text)
        EXPECT_TRUE(byte == '\n' || uint8_t(byte) >= 0x20) << style.name;
      EXPECT_EQ(text.find("\xff"), std::string::npos) << style.name;
    }
}

/// Names of Special scopes are before those of the rows in them, up to a limit;
/// work of devices below a chain of scopes is added up once.
TEST(Styles, DeepSpecialScopesAndWork) {
  constexpr int64_t kDepth = 20000;
  RecordingBuilder builder;
  Thread stream;
  builder.addThread({});
  stream.isDevice = true;
  builder.addThread(stream);
  auto add = [&](std::string name, uint16_t type, ScopeRole role,
                 uint32_t thread, uint32_t parent, int64_t at) {
    ScopeEvent event;
    event.site =
        builder.addSite({std::move(name), "", 0, type, 1, uint8_t(role)});
    event.thread = thread;
    event.parent = parent;
    event.beginPs = at * 1000000;
    event.endPs = (2 * kDepth - at) * 1000000;
    event.isOutside = thread == 1;
    return builder.addScope(event);
  };
  uint32_t parent = kNoScope;
  for (int64_t at = 0; at != kDepth; ++at)
    parent = add("special", 7, ScopeRole::Special, 0, parent, at);
  uint32_t row = add("row", 14, ScopeRole::Ordinary, 0, parent, kDepth - 1);
  for (int64_t at = 0; at != kDepth; ++at)
    row = add("work", 4, ScopeRole::Ordinary, 1, row, at);
  Recording recording = builder.finish();
  StyleOptions options;
  options.state = "All";
  options.separatesThreads = true;
  std::string text = writeText("paddle-report", recording, options);
  EXPECT_LT(text.size(), 100000u);
  EXPECT_NE(text.find("thread0::special/special/"), std::string::npos);
  // 2 us, 4 us and so on up to 40000 us on the device are 400020 ms.
  options.separatesThreads = false;
  text = writeText("paddle-report", recording, options);
  EXPECT_NE(text.find("400020"), std::string::npos) << text.substr(0, 3000);
  EXPECT_NE(writeText("paddle-summary", recording, {}).find("row"),
            std::string::npos);
}

TEST(Styles, CellsAreShortened) {
  EXPECT_EQ(makeCell("abc", 3), "abc");
  EXPECT_EQ(makeCell("abcdefg", 6), "abc...");
  EXPECT_EQ(makeCell("\xc3\xa4\xc3\xb6\xc3\xbc", 3),
            "\xc3\xa4\xc3\xb6\xc3\xbc");
  EXPECT_EQ(makeCell("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 3), "...");
  EXPECT_EQ(makeCell("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f+", 4), "\xc3\xa4...");
  EXPECT_EQ(makeCell("a\nb", 20), "a\\u{a}b");
  EXPECT_EQ(makeCell(std::string(1, '\0'), 20), "\\u{0}");
  // Characters that are not shown, by their codes; U+202E, U+0085, U+FEFF.
  EXPECT_EQ(makeCell("a\xe2\x80\xae\xc2\x85\xef\xbb\xbf", 40),
            "a\\u{202e}\\u{85}\\u{feff}");
  // Bytes that are not UTF-8, as those of a surrogate.
  EXPECT_EQ(makeCell("a\xed\xa0\x80\xff", 40),
            "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  // Too long by 1, as one that is not shown in part.
  EXPECT_EQ(makeCell("ab\n", 6), "ab...");
  EXPECT_EQ(makeCell("", 5), "");
}

TEST(Styles, UnknownChoicesAreProblems) {
  Recording recording;
  StyledText text;
  StyleOptions options;
  auto getProblem = [&](const char *style) {
    std::optional<Problem> problem =
        writeStyled(style, {&recording}, options, text);
    return problem ? problem->what + " " + problem->hint : std::string();
  };
  EXPECT_EQ(getProblem("nice"), "style 'nice' is not known Choose one of tree, "
                                "tvm, paddle-report, paddle-summary.");
  options.unit = "days";
  EXPECT_EQ(getProblem("tvm"), "unit 'days' is not known in the style 'tvm' "
                               "Choose one of min, s, ms, us, ns.");
  options.unit = "";
  options.sort = "total";
  EXPECT_EQ(getProblem("tvm"), "order 'total' cannot be chosen in the style "
                               "'tvm' Leave out the order.");
  options.sort = "";
  options.views = {"model", "clouds"};
  EXPECT_EQ(getProblem("paddle-summary").substr(0, 30),
            "view 'clouds' is not known in ");
  options.views = {};
  options.state = "TPU";
  EXPECT_NE(getProblem("paddle-report"), "");
}
