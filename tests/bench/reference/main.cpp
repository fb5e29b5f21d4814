// Answers of MuJoCo, DART, Bullet and Simbody for the robots of models/, to tests/reference.
//   make_reference MODELS FOLDER DATE [NAME...]
// NAME is a file's, such as pendulum.fixed; none means all. Every answer has two peers at least.
// Where they disagree nothing is written, and the exit code is 1.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "write.hpp"

namespace reference {
namespace {

constexpr double kAgreement = 1e-9;
constexpr int kStates = 6;

struct Entry {
  const char* urdf;
  Kind kind;
  bool floating;
};

constexpr Entry kEntries[] = {
    {"pendulum", Kind::kTree, false},
    {"double_pendulum", Kind::kTree, false},
    {"six_axis_arm", Kind::kTree, false},
    {"seven_axis_arm", Kind::kTree, false},
    {"quadruped", Kind::kTree, false},
    {"quadruped", Kind::kTree, true},
    {"humanoid", Kind::kTree, false},
    {"humanoid", Kind::kTree, true},
    {"ball_tree_31", Kind::kTree, false},
    {"loops/four_bar", Kind::kLoop, false},
    {"loops/six_bar", Kind::kLoop, false},
    {"loops/slider_crank", Kind::kLoop, false},
    {"loops/stewart_platform", Kind::kLoop, false},
    {"loops/two_arms_one_object", Kind::kLoop, false},
    {"loops/chain_both_ends", Kind::kLoop, false},
    {"loops/geared_chain", Kind::kLoop, false},
    {"geared_quadruped", Kind::kLoop, true},
    {"gripper", Kind::kLoop, false},
    {"gripper", Kind::kMimic, false},
};

template <class X, class Y>
double error(const X& x, const Y& reference) {
  if (x.rows() != reference.rows() || x.cols() != reference.cols() || !x.allFinite())
    return HUGE_VAL;
  return (x - reference).cwiseAbs().maxCoeff() / std::max(1.0, reference.cwiseAbs().maxCoeff());
}

std::vector<std::unique_ptr<Peer>> others(const Robot& robot) {
  std::vector<std::unique_ptr<Peer>> peers;
  if (robot.closed()) {
    peers.push_back(make_closed_mujoco(robot));
  } else {
    peers.push_back(make_mujoco(robot));
    peers.push_back(make_dart(robot));
    peers.push_back(make_bullet(robot));
  }
  peers.erase(std::remove(peers.begin(), peers.end(), nullptr), peers.end());
  return peers;
}

Witness compare(Peer& peer, const Case& c) {
  Witness witness;
  witness.name = peer.name();
  witness.how = peer.how();
  for (std::size_t i = 0; i < c.states.size(); ++i) {
    const Answer answer = peer.answer(c.states[i].state);
    const Answer& written = c.answers[i];
    witness.vdot = std::max(witness.vdot, error(answer.vdot, written.vdot));
    if (answer.reaction.cols() > 0) {
      witness.has_reaction = true;
      witness.reaction = std::max(witness.reaction, error(answer.reaction, written.reaction));
    }
    if (c.robot.closed()) {
      witness.generalized =
          std::max(witness.generalized, error(answer.generalized, written.generalized));
    }
  }
  return witness;
}

Case make(const Entry& entry, const std::string& models, const std::string& date) {
  Case c;
  c.robot = read_robot(models + "/" + entry.urdf + ".urdf", entry.floating);
  c.kind = entry.kind;
  c.date = date;
  c.states = draw_states(c.robot, kStates);
  const auto first = make_simbody(c.robot);
  for (const DrawnState& drawn : c.states) {
    c.answers.push_back(first->answer(drawn.state));
    c.spectra.push_back(first->spectrum(drawn.state));
  }
  c.witnesses.push_back(compare(*first, c));
  for (const auto& peer : others(c.robot)) c.witnesses.push_back(compare(*peer, c));
  return c;
}

bool report(const Case& c) {
  bool agree = true;
  for (std::size_t i = 1; i < c.witnesses.size(); ++i) {
    const Witness& w = c.witnesses[i];
    const bool agrees = std::max({w.vdot, w.reaction, w.generalized}) <= kAgreement;
    agree &= agrees;
    std::printf("  %-28s %-14s qdd %.1e", file_name(c).c_str(), w.name.c_str(), w.vdot);
    if (w.has_reaction) std::printf("  reaction %.1e", w.reaction);
    if (c.robot.closed()) std::printf("  constraint force %.1e", w.generalized);
    std::printf("%s\n", agrees ? "" : "  DISAGREES");
  }
  std::fflush(stdout);
  return agree;
}

int run(const std::string& models, const std::string& folder, const std::string& date,
        const std::vector<std::string>& names) {
  std::vector<Case> cases;
  bool agree = true;
  for (const Entry& entry : kEntries) {
    Case named;
    named.robot.name = std::string(entry.urdf).substr(std::string(entry.urdf).rfind('/') + 1);
    named.robot.floating = entry.floating;
    named.kind = entry.kind;
    const std::string file = file_name(named), name = file.substr(0, file.rfind('.'));
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    cases.push_back(make(entry, models, date));
    agree &= report(cases.back());
  }
  if (cases.empty()) throw std::runtime_error("no such file of answers; see kEntries in main.cpp");
  if (!agree) throw std::runtime_error("peers disagree by more than 1e-9; nothing is written");
  for (const Case& c : cases) write(c, folder);
  std::printf("%zu files in %s\n", cases.size(), folder.c_str());
  return 0;
}

}  // namespace
}  // namespace reference

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "usage: make_reference MODELS FOLDER DATE [NAME...]\n");
    return 1;
  }
  try {
    return reference::run(words[1], words[2], words[3], {words + 4, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_reference: %s\n", error.what());
    return 1;
  }
}
