#include "inspect/mechanism_report.hpp"

#include "hosttools/mechanism/texts.hpp"
#include "mechanism/content_hash.hpp"
#include "model/content_hash.hpp"

using namespace lockstep;

TEST_GROUP(MechanismReport){};

TEST(MechanismReport, TextShowsPartsAndNumbers) {
  const host::Mechanism m = test::model("rod_pendulum");
  const std::string expected =
      "'rod_pendulum': 1 body, 1 constraint, 2 degrees of freedom, 1 multiplier, hash " +
      host::hash_text(host::content_hash(m)) +
      "\n\n"
      "Bodies\n"
      "  0  'bob'  particle  2 kg  3 velocities\n"
      "\n"
      "Constraints\n"
      "  0  'rod'  distance  the world  'bob'  1 row  part 0\n"
      "\n"
      "Forward\n"
      "  bob\n"
      "  rod\n"
      "\n"
      "Parts\n"
      "  0  colour 0  1 constraint  4 unknowns\n"
      "\n"
      "Numbers\n"
      "  3  of poses\n"
      "  3  velocities\n"
      "  1  multipliers\n"
      "  0  of them auxiliary: of loops, of couplings, or of chains held twice\n"
      "  2  degrees of freedom at the initial poses\n"
      "  0  independent loops, where the world is a body\n"
      "  1  colours of acyclic parts\n"
      "  1  trees, where the world ties nothing together\n";
  STRCMP_EQUAL(expected.c_str(), host::to_text(m).c_str());
}

TEST(MechanismReport, JsonHoldsTheSame) {
  const auto json = host::to_json(test::model("gear_pair"));
  LONGS_EQUAL(14, json["coordinates"].get<int>());
  LONGS_EQUAL(12, json["velocities"].get<int>());
  LONGS_EQUAL(11, json["multipliers"].get<int>());
  LONGS_EQUAL(5, json["auxiliary_multipliers"].get<int>());
  CHECK(json["constraints"][1]["auxiliary"].get<bool>());
  STRCMP_EQUAL("pinion", json["forward"][0].get<std::string>().c_str());
  LONGS_EQUAL(1, json["degrees_of_freedom"].get<int>());
  LONGS_EQUAL(1, json["components"].get<int>());
  LONGS_EQUAL(1, json["loops"].get<int>());
  LONGS_EQUAL(json["parts"]["colours"].size(), json["parts"]["unknowns"].size());
  CHECK(json["constraints"][0]["part"] != json["constraints"][2]["part"]);
  LONGS_EQUAL(-1, json["constraints"][0]["a"].get<int>());
  STRCMP_EQUAL("gear", json["constraints"][2]["type"].get<std::string>().c_str());
}
