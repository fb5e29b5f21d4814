#include "robot/user_controller.hpp"

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "lockstep/body_data.hpp"
#include "record/joint_columns.hpp"
#include "robot/joint_record.hpp"
#include "robot/lockstep_controller.h"
#include "system/child_process.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

using namespace std::chrono_literals;

// What both kinds are told of the robot, and what is asked of their answers.
class Checked : public UserController {
 public:
  Checked(const ControllerWords& words, const Tree& tree, double dt)
      : name_("--controller " + words.command), dt_(dt), names_(coordinate_names(tree).v) {
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      q_.push_back(counts_.q), v_.push_back(counts_.v);
      counts_.add(tree.bodies[i].joint);
    }
  }

 protected:
  Error error(const std::string& text) const { return Error(name_ + ": " + text); }
  Error error(std::uint64_t step, const std::string& text) const {
    return error("step " + std::to_string(step) + " (" + write_number(time_of(step, dt_)) +
                 " s): " + text);
  }
  Error bad_torque(std::uint64_t step, std::size_t i, const std::string& what) const {
    return error(step, "the torque of " + quote(names_[i]) + " is " + quote(what) +
                           "; give a finite number");
  }

  const std::string name_;
  const double dt_;
  const std::vector<std::string> names_;  // of the velocities
  std::vector<int> q_, v_;                // where joints begin
  Counts counts_;
};

// The protocol of docs/controllers.md: a line there, a line back.
class Program final : public Checked {
 public:
  Program(const ControllerWords& words, const Tree& tree, double dt)
      : Checked(words, tree, dt), patience_(words.patience), child_(start(words.command)) {
    nlohmann::ordered_json joints = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const JointType type = tree.bodies[i].joint;
      joints.push_back({{"name", tree.joint_names[i]},
                        {"q", q_[i]},
                        {"nq", config_count(type)},
                        {"v", v_[i]},
                        {"nv", dof_count(type)}});
    }
    const nlohmann::ordered_json robot = {{"lockstep", LOCKSTEP_CONTROLLER_VERSION},
                                          {"robot", tree.name},
                                          {"dt", dt},
                                          {"nq", counts_.q},
                                          {"nv", counts_.v},
                                          {"joints", joints}};
    say(robot.dump() + "\n", "the robot");
    const std::string answer = hear("'ready'");
    if (answer != "ready") {
      throw error("answered " + quote(answer) + " to the robot; a controller answers 'ready'");
    }
  }
  // The end of its input tells it; it has a second to write its own results.
  ~Program() override {
    child_->link.reset();
    child_->has_ended(1s);
  }

  Eigen::VectorXd torques(std::uint64_t step, const Eigen::VectorXd& q,
                          const Eigen::VectorXd& v) override {
    const std::string asked = "step " + std::to_string(step);
    std::string line = std::to_string(step) + ' ' + write_number(time_of(step, dt_));
    for (const double x : q) line.append(1, ' ').append(write_number(x));
    for (const double x : v) line.append(1, ' ').append(write_number(x));
    say(line + "\n", asked);
    const std::string answer = hear("the torques of " + asked);
    const std::vector<std::string_view> words = words_of(answer);
    if (words.size() != names_.size()) {
      throw error(step, "answered " + std::to_string(words.size()) +
                            " numbers, and the robot has " + std::to_string(names_.size()) +
                            " torques: " + listed(first_of(names_)));
    }
    Eigen::VectorXd tau(static_cast<Eigen::Index>(words.size()));
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto number = parse_number(words[i]);
      if (!number) throw bad_torque(step, i, std::string(words[i]));
      tau[static_cast<Eigen::Index>(i)] = *number;
    }
    return tau;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kLongest = 1 << 20;  // of a line, in bytes

  std::unique_ptr<ChildProcess> start(const std::string& command) const {
    std::vector<std::string> words;
    for (const std::string_view word : words_of(command)) words.emplace_back(word);
    if (words.empty()) throw Error("--controller: is empty; give a program or a shared library");
    try {
      return std::make_unique<ChildProcess>(words, ChildProcess::Errors::kShared);
    } catch (const Error& error) {
      throw Error(std::string("--controller ") + error.what());
    }
  }

  void await(short events, Clock::time_point until, const std::string& what) {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      pollfd file = {child_->link.get(), events, 0};
      const int ready = ::poll(&file, 1, static_cast<int>(std::max(left, 0ms).count()));
      if (ready > 0) return;
      if (ready < 0 && errno == EINTR) continue;
      throw error("no answer within " + brief(patience_) + " s: " + what +
                  "; --controller-timeout gives it longer");
    }
  }
  Clock::time_point deadline() const {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience_));
  }

  void say(std::string_view line, const std::string& about) {
    const auto until = deadline();
    while (!line.empty()) {
      const ssize_t sent = ::send(child_->link.get(), line.data(), line.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        line.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        await(POLLOUT, until, "it does not read " + about);
      } else if (errno != EINTR) {
        throw gone("was told " + about);
      }
    }
  }

  std::string hear(const std::string& what) {
    const auto until = deadline();
    for (;;) {
      if (const auto end = heard_.find('\n'); end != std::string::npos) {
        std::string line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        if (line.ends_with('\r')) line.pop_back();
        if (!heard_.empty()) {
          throw error("answered more than one line, with " + what + "; a line there, a line back");
        }
        return line;
      }
      if (heard_.size() > kLongest) throw error("answered a line of more than a megabyte");
      await(POLLIN, until, "it owes " + what);
      char bytes[4096];
      const ssize_t count = ::recv(child_->link.get(), bytes, sizeof bytes, 0);
      if (count > 0) {
        heard_.append(bytes, static_cast<std::size_t>(count));
      } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        throw gone("gave " + what);
      }
    }
  }

  Error gone(const std::string& before) const {
    // who closes its output is about to end
    return error((child_->has_ended(1s) ? child_->how_it_ended() : "closed its output") +
                 " before it " + before);
  }

  const double patience_;
  std::string heard_;
  std::unique_ptr<ChildProcess> child_;
};

class Library final : public Checked {
 public:
  Library(const ControllerWords& words, const Tree& tree, double dt) : Checked(words, tree, dt) {
    // without a slash it would be looked for among the system's libraries
    const std::string path = std::filesystem::absolute(words.command).string();
    file_.reset(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!file_) throw error(std::string("cannot be loaded: ") + ::dlerror());
    torques_ = find<decltype(&lockstep_controller_torques)>("lockstep_controller_torques");
    end_ = find<decltype(&lockstep_controller_end)>("lockstep_controller_end");
    const auto begin = find<decltype(&lockstep_controller_begin)>("lockstep_controller_begin");
    if (torques_ == nullptr) {
      throw error("has no function lockstep_controller_torques; see lockstep_controller.h");
    }
    std::vector<const char*> joint_names;
    for (const std::string& joint : tree.joint_names) joint_names.push_back(joint.c_str());
    const lockstep_robot robot = {.version = LOCKSTEP_CONTROLLER_VERSION,
                                  .name = tree.name.c_str(),
                                  .dt = dt,
                                  .nq = counts_.q,
                                  .nv = counts_.v,
                                  .joints = static_cast<int>(joint_names.size()),
                                  .joint_name = joint_names.data(),
                                  .joint_q = q_.data(),
                                  .joint_v = v_.data()};
    const int status = begin == nullptr ? 0 : begin(&robot, &own_);
    if (status != 0) {
      throw error("lockstep_controller_begin returned " + std::to_string(status));
    }
    begun_ = true;
  }
  ~Library() override {
    if (begun_ && end_ != nullptr) end_(own_);
  }

  Eigen::VectorXd torques(std::uint64_t step, const Eigen::VectorXd& q,
                          const Eigen::VectorXd& v) override {
    // what it does not write is not a number
    Eigen::VectorXd tau = Eigen::VectorXd::Constant(counts_.v, std::nan(""));
    const int status = torques_(own_, step, time_of(step, dt_), q.data(), v.data(), tau.data());
    if (status != 0) {
      throw error(step, "lockstep_controller_torques returned " + std::to_string(status));
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double own = tau[static_cast<Eigen::Index>(i)];
      if (!std::isfinite(own)) throw bad_torque(step, i, brief(own));
    }
    return tau;
  }

 private:
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(::dlsym(file_.get(), name));
  }
  struct Close {
    void operator()(void* file) const { ::dlclose(file); }
  };

  std::unique_ptr<void, Close> file_;
  decltype(&lockstep_controller_torques) torques_ = nullptr;
  decltype(&lockstep_controller_end) end_ = nullptr;
  void* own_ = nullptr;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<UserController> start_controller(const ControllerWords& words, const Tree& tree,
                                                 double dt) {
  if (words.command.ends_with(".so")) return std::make_unique<Library>(words, tree, dt);
  return std::make_unique<Program>(words, tree, dt);
}

}  // namespace lockstep::host
