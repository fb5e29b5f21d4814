#include "inspect/budget.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/model/robots.hpp"
#include "text/error.hpp"

using namespace lockstep::host;
using lockstep::test::has;

namespace {

// 25 % of a period: 2500 instructions of one cycle at 10 MHz, 1 kHz
constexpr Timing kTiming{.clock = 10e6, .cycles = 1, .rate = 1000};

ChipCost example() {
  ChipCost cost;
  cost.forms = {
      {.form = "straight", .most = 2500, .flash = 9000, .ram = 2000, .stack = 300},
      {.form = "loop", .most = 6000, .flash = 5000, .ram = 2000, .stack = 200},
      {.form = "table", .most = 5900, .flash = 20000, .ram = 3000, .stack = 250},
  };
  return cost;
}

std::string message_of(const std::string& budget) {
  try {
    parse_budget(budget);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string verdict(const std::string& budget, const ChipCost& cost) {
  const std::vector<Verdict> verdicts = judge(parse_budget(budget), cost, kTiming);
  LONGS_EQUAL(1, verdicts.size());
  return to_text(verdicts.front());
}

}  // namespace

TEST_GROUP(Budget){};

TEST(Budget, UnitsAreThoseOfTheFigure) {
  const std::vector<Limit> limits = parse_budget("flash=64K,ram=1M,stack=700,instructions=20K");
  LONGS_EQUAL(4, limits.size());
  STRCMP_EQUAL("flash", limits[0].figure.c_str());
  DOUBLES_EQUAL(65536, limits[0].most, 0);
  DOUBLES_EQUAL(1048576, limits[1].most, 0);
  DOUBLES_EQUAL(700, limits[2].most, 0);
  DOUBLES_EQUAL(20000, limits[3].most, 0);
  DOUBLES_EQUAL(12.5, parse_budget("period=12.5%").front().most, 0);
  DOUBLES_EQUAL(12.5, parse_budget("period=12.5").front().most, 0);
}

TEST(Budget, UnknownFigureListsTheKnown) {
  STRCMP_EQUAL("--budget: no figure 'rom'; known are flash, ram, stack, instructions, period",
               message_of("flash=64K,rom=3").c_str());
  CHECK_TRUE(has(message_of("=3"), "no figure ''"));
}

TEST(Budget, BadLimitsAreRefused) {
  for (const char* text : {"flash", "flash=", "flash=-1", "flash=0", "flash=64KB", "flash=5%"}) {
    CHECK_TRUE_TEXT(has(message_of(text), "such as flash=16K"), text);
  }
  CHECK_TRUE(has(message_of("period=1K"), "such as period=25%"));
  CHECK_TRUE(has(message_of("ram=1,ram=2"), "ram is given twice"));
}

TEST(Budget, LimitItselfIsKept) {
  STRCMP_EQUAL("flash: 9000 of 9000, 0 left", verdict("flash=9000", example()).c_str());
  STRCMP_EQUAL("ram: 2000 of 2048, 48 left", verdict("ram=2K", example()).c_str());
  STRCMP_EQUAL("period: 25 % of 30 %, 5 % left", verdict("period=30", example()).c_str());
}

TEST(Budget, RemedyIsTheMeasuredFormThatTakesLess) {
  STRCMP_EQUAL("stack: 300 of 256, over by 44; the loop form takes 200 (compile --passes loop)",
               verdict("stack=256", example()).c_str());
  ChipCost loops = example();
  std::swap(loops.forms[0], loops.forms[1]);
  CHECK_TRUE(has(verdict("instructions=5K", loops),
                 "over by 1000; the straight form takes 2500 (compile --passes straight); or"));
}

TEST(Budget, RemediesNameWhatIsLeftToTry) {
  CHECK_TRUE(has(verdict("flash=1K", example()), "; or try --optimize Os"));
  CHECK_TRUE(has(verdict("instructions=1K", example()), "over by 1500; try --optimize O3"));
  CHECK_TRUE(has(verdict("period=5", example()), "; or lower --rate or take a faster chip"));
  CHECK_TRUE(has(verdict("ram=1K", example()), "over by 976; make joints fixed"));
  ChipCost alone = example();
  alone.forms.resize(1);
  alone.options.scalar = "double";
  alone.options.optimization = "Os";
  CHECK_TRUE(has(verdict("flash=1K", alone),
                 "; leave --form out to see what other forms take; or try --scalar float"));
  CHECK_FALSE(has(verdict("flash=1K", alone), "--optimize"));
}

TEST(Budget, OneFigureOverIsEnough) {
  CHECK_TRUE(all_kept(judge(parse_budget("flash=9K,ram=2K"), example(), kTiming)));
  CHECK_FALSE(all_kept(judge(parse_budget("flash=9K,ram=1K"), example(), kTiming)));
  CHECK_TRUE(all_kept(judge({}, example(), kTiming)));
}

TEST(Budget, JsonHoldsTheSame) {
  const auto json = to_json(judge(parse_budget("flash=8K,ram=2K"), example(), kTiming), "straight");
  STRCMP_EQUAL("straight", json["form"].get<std::string>().c_str());
  CHECK_FALSE(json["kept"].get<bool>());
  LONGS_EQUAL(-808, json["figures"]["flash"]["left"].get<int>());
  CHECK_TRUE(json["figures"]["flash"].contains("remedy"));
  LONGS_EQUAL(2048, json["figures"]["ram"]["budget"].get<int>());
  CHECK_FALSE(json["figures"]["ram"].contains("remedy"));
}
