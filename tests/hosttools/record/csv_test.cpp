#include "record/csv.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;

TEST_GROUP(Csv){};

TEST(Csv, FieldsReadBackAsTheyWereWritten) {
  const std::vector<std::string> fields = {"time", "", "a,b", "say \"hi\"", "\"", ",", "x y"};
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + csv_field(field);
  CHECK_TRUE(csv_fields(line) == fields);
}

TEST(Csv, AnEmptyFieldAtTheEndIsAField) {
  CHECK_TRUE(csv_fields("a,") == (std::vector<std::string>{"a", ""}));
  CHECK_TRUE(csv_fields("") == std::vector<std::string>{""});
}

TEST(Csv, AQuoteMustCloseAndEndItsField) {
  CHECK_FALSE(csv_fields("a,\"b").has_value());
  CHECK_FALSE(csv_fields("\"a\"b,c").has_value());
}
