// A run written into a page: numbers as text, rows that are shown, what cannot be markup.
#include "page/run_page.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "page/encode.hpp"
#include "text/error.hpp"

using namespace lockstep::host;

namespace {

constexpr const char* kPage = "<script>@LOCKSTEP_RUN@</script>";

const std::vector<RecordColumn> kOne = {{"a", "m"}};

RunPage small_run() {
  return {.title = "a</script><b>",
          .subtitle = "",
          .command = "lockstep sim 'a b.urdf'",
          .card = {{"Run", {{"steps", "1"}}}},
          .events = {},
          .scene = R"({"bodies":[]})"};
}

Record one_column(std::size_t rows) {
  Record record(kOne);
  for (std::size_t i = 0; i < rows; ++i) {
    const double value = static_cast<double>(i);
    record.add(value, std::span(&value, 1));
  }
  return record;
}

}  // namespace

TEST_GROUP(RunPage){};

TEST(RunPage, Base64IsThatOfTheStandard) {
  // RFC 4648, section 10
  STRCMP_EQUAL("", base64("").c_str());
  STRCMP_EQUAL("Zg==", base64("f").c_str());
  STRCMP_EQUAL("Zm8=", base64("fo").c_str());
  STRCMP_EQUAL("Zm9v", base64("foo").c_str());
  STRCMP_EQUAL("Zm9vYmFy", base64("foobar").c_str());
  STRCMP_EQUAL("/wD+", base64(std::string_view("\xff\0\xfe", 3)).c_str());
}

TEST(RunPage, NumbersAreLittleEndian) {
  const float one[] = {1.0f};  // 0x3f800000
  STRCMP_EQUAL("AACAPw==", base64_floats(one).c_str());
  const double two[] = {2.0};  // 0x4000000000000000
  STRCMP_EQUAL("AAAAAAAAAEA=", base64_doubles(two).c_str());
}

TEST(RunPage, AShortRecordIsShownWhole) {
  LONGS_EQUAL(0, shown_rows(0, 3).size());
  LONGS_EQUAL(1, shown_rows(1, 3).size());
  LONGS_EQUAL(kMostPageRows, shown_rows(kMostPageRows, 3).size());
}

TEST(RunPage, ALongRecordKeepsItsEndsAndItsPace) {
  for (const std::size_t columns : {std::size_t{1}, std::size_t{50}, std::size_t{5000}}) {
    const auto rows = shown_rows(1'000'001, columns);
    LONGS_EQUAL(0, rows.front());
    LONGS_EQUAL(1'000'000, rows.back());
    CHECK(rows.size() * (8 + 4 * columns) <= kMostPageBytes);
    const double pace = 1e6 / static_cast<double>(rows.size() - 1);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      DOUBLES_EQUAL(pace, static_cast<double>(rows[i] - rows[i - 1]), 1);
    }
  }
}

TEST(RunPage, NamesCannotEndTheScript) {
  const std::string html = to_html(kPage, small_run(), one_column(2), {});
  LONGS_EQUAL(html.rfind("</script>"), html.find("</script>"));
  STRCMP_CONTAINS(R"("a\u003c/script>\u003cb>")", html.c_str());
}

TEST(RunPage, BrokenTextIsReplaced) {
  RunPage run = small_run();
  run.title = "\xff";
  STRCMP_CONTAINS(R"("title":"\ufffd")", to_html(kPage, run, one_column(1), {}).c_str());
}

TEST(RunPage, WhatIsNoNumberIsToldAndKeptOutOfTheBase) {
  Record record(kOne);
  const double nan = std::numeric_limits<double>::quiet_NaN(), one = 1;
  record.add(0, std::span(&nan, 1));
  record.add(1, std::span(&one, 1));
  const std::string html = to_html(kPage, small_run(), record, {});
  STRCMP_CONTAINS(R"("base":[0.0])", html.c_str());
  STRCMP_CONTAINS("a is not a finite number from here on", html.c_str());
}

TEST(RunPage, OfManyEventsTheFirstAndTheFaultsAreShown) {
  RunPage run = small_run();
  for (int i = 0; i < 3000; ++i) run.events.push_back({1.0 * i, "contact", "foot touches"});
  run.events.push_back({5000, "fault", "it broke"});
  const std::string html = to_html(kPage, run, one_column(1), {});
  STRCMP_CONTAINS("The first 1000 of 3001 events are shown.", html.c_str());
  STRCMP_CONTAINS("it broke", html.c_str());
  STRCMP_CONTAINS(R"({"time":998.0,)", html.c_str());
  CHECK(html.find(R"({"time":999.0,)") == std::string::npos);
}

TEST(RunPage, APageWithoutAPlaceIsRefused) {
  CHECK_THROWS(Error, (void)to_html("<html>", small_run(), one_column(1), {}));
}
