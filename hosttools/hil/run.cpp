#include "hil/run.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "chip/timing.hpp"
#include "hil/energy.hpp"
#include "hil/fault_text.hpp"
#include "hil/remote.hpp"
#include "hil/servo_clock.hpp"
#include "hil/twin_controller.hpp"
#include "record/joint_columns.hpp"

namespace lockstep::host::hil {

namespace {

template <class T>
class Runner {
 public:
  Runner(Client& client, const Tree& tree, const Scenario& scenario, Plan<T>& plan,
         Recorder<T>* recorder, const Progress& progress)
      : client_(client),
        scenario_(scenario),
        plan_(plan),
        recorder_(recorder),
        progress_(progress),
        tree_(tree),
        energy_(tree, scenario, plan),
        names_(coordinate_names(tree)),
        comparison_(tree),
        host_(std::make_unique<TwinController<T>>(tree, scenario, plan)),
        twin_(std::make_unique<PlantTwin<T>>(*plan.robot, tree, plan.bounds, plan.plant,
                                             plan.devices)),
        costs_(recorder == nullptr ? nullptr : recorder->costs()) {
    twin_->watch(recorder);
  }

  // The plant on the target. In steps the host's controller gives torques, a frame a tick; between
  // checkpoints both drive themselves.
  Outcome plant() {
    const bool in_steps = scenario_.mode == Mode::kStep;
    if (!in_steps) plan_.plant.drive = own_drive();
    begin(plan_.plant);
    PlantTarget<T> target(client_, plan_.plant, *plan_.robot, scenario_.corrupt_state);
    target.set(plan_.start);
    PlantState<T> state = twin_->state();
    const std::uint64_t a_frame =
        in_steps ? scenario_.steps_a_tick()
                 : std::min<std::uint64_t>(scenario_.checkpoint, link::kMaxStepsAFrame);
    while (state.step < scenario_.steps) {
      const auto count =
          static_cast<std::uint32_t>(std::min(a_frame, scenario_.steps - state.step));
      const std::vector<T> tau = in_steps ? host_->torques(state) : std::vector<T>();
      const PlantState<T> on_target = run_target(target, state.step, count, tau);
      const PlantState<T> on_host = twin_->run(count, tau);
      if (const auto found = comparison_.compare(on_target, on_host)) {
        twin_->watch(nullptr);
        // drivetrains and sensors begin anew with each state that is set
        outcome_.difference =
            plan_.devices.any() ? found : comparison_.find_first(target, *twin_, state, count, tau);
        break;
      }
      state = on_host;
      watch();
      agreed(state.step, on_target.hash, on_host.hash);
    }
    return finish(state);
  }

  // The plant on the target by its own clock. The host asks now and then, which also feeds the
  // watchdog, and its twin follows.
  Outcome free_running() {
    plan_.plant.free_running = true;
    plan_.plant.drive = own_drive();
    begin(plan_.plant);
    PlantTarget<T> target(client_, plan_.plant, *plan_.robot);
    target.set(plan_.start);
    const auto between_questions = std::chrono::duration<double>(
        std::min(0.02, 0.2 * static_cast<double>(scenario_.watchdog) / scenario_.rate));
    PlantState<T> state = plan_.start;
    while (state.step < scenario_.steps) {
      std::this_thread::sleep_for(between_questions);
      try {
        state = target.run(0, {});
      } catch (const Refused& refused) {
        link::ReportReply report;
        client_.ask(link::Report(), report);
        throw Error(std::string(refused.what()) + ", it went safe at step " +
                    std::to_string(state.step) + " or after: " + to_string(report.safe_reason) +
                    (report.safe_reason == Status::kOverrun
                         ? "; " + too_slow_text(report.longest / client_.clock_hz(), scenario_.rate)
                         : ""));
      }
      const PlantState<T> on_host =
          twin_->run(static_cast<std::uint32_t>(state.step - outcome_.steps), {});
      outcome_.difference = comparison_.compare(state, on_host);
      if (outcome_.difference) break;
      watch();
      agreed(state.step, state.hash, on_host.hash);
    }
    return finish(state);
  }

  // The controller on the target, the plant on the host.
  Outcome controller() {
    begin(plan_.control);
    client_.tell(link::Start());
    PlantState<T> state = twin_->state();
    for (std::uint64_t tick = 0; state.step < scenario_.steps; ++tick) {
      const std::vector<T> on_host = host_->torques(state);
      // after the controller has bounded it; bounding it again changes nothing
      auto& in = host_->incoming(state);
      set_reference(*plan_.robot, plan_.control, tick, in.reference);
      using firmware::span_of;
      std::vector<T> tau(state.v.size());
      link::ControlReply<T> reply{.tau = tau};
      client_.ask(link::Control<const T>{state.q, state.v, span_of(std::as_const(in.reference.q)),
                                         span_of(std::as_const(in.reference.v)),
                                         span_of(std::as_const(in.reference.a))},
                  reply, tick);
      note_tick(state.step);
      outcome_.difference = compare<T>(state.step, "tau", names_.v, tau, on_host);
      if (outcome_.difference) break;
      state = next_tick(state, tau);
      watch();
      agreed(state.step, reply.hash, host_->controller().hash());
    }
    return finish(state);
  }

  // The servo on the target, the robot and its drives on the host.
  Outcome servo() {
    // that of the servo's torques; motors that are off are off at once
    plan_.plant.limits.effort_rate.setConstant(std::numeric_limits<T>::infinity());
    ServoPair<T> pair(client_, tree_, scenario_, plan_);
    outcome_.is_compared = pair.has_twin();
    pair.start();
    twin_->set(plan_.start);
    watch();
    PlantState<T> state = twin_->state();
    while (state.step < scenario_.steps) {
      outcome_.difference = pair.tick(state);
      if (outcome_.difference) break;
      note_tick(state.step, pair.is_running());
      state = next_tick(state, pair.tau());
      watch();
      agreed(state.step, pair.target_hash(), pair.host_hash());
    }
    outcome_.servo = pair.story();
    if (!outcome_.difference) require_reaction(scenario_, pair.story());
    return finish(state);
  }

  // The servo on the target by its own clock, its robot too.
  Outcome servo_by_clock() {
    outcome_.is_compared = false;
    outcome_.servo = follow_clock(client_, scenario_, plan_, [this](std::uint64_t ticks) {
      outcome_.steps = ticks;
      progress_(ticks);
    });
    client_.ask(link::Report(), outcome_.report);
    outcome_.lateness = ask_lateness();
    client_.tell(link::Stop());
    require_reaction(scenario_, *outcome_.servo);
    return outcome_;
  }

  // Forward dynamics on the target, of the states that the host's plant passes through.
  Outcome dynamics() {
    if (!is_closed(tree_)) return dynamics(std::make_unique<TwinDynamics<T>>(*plan_.robot));
    return dynamics(std::make_unique<ClosedTwinDynamics<T>>(*plan_.robot, TreeRows<T>(tree_)));
  }

  // The error that broke off the run, with what the energy says of it.
  Error with_gain(const BrokeOff& error) {
    watch();  // the last one tells most
    return energy_.with_gain(error);
  }

 private:
  template <class Dynamics>
  Outcome dynamics(const std::unique_ptr<Dynamics>& solver) {
    begin(plan_.plant);
    std::vector<std::string> parts;
    for (const std::string& joint : tree_.joint_names) {
      for (const char* part : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"}) {
        parts.push_back(joint + part);
      }
    }
    Hash target_hash, host_hash;
    PlantState<T> state = plan_.start;
    while (state.step < scenario_.steps) {
      const std::vector<T> tau = host_->torques(state);
      std::vector<T> vdot(state.v.size()), reaction(parts.size());
      link::SolveReply<T> reply{.vdot = vdot, .reaction = reaction};
      client_.ask(link::Solve<const T>{state.q, state.v, tau}, reply, state.step);
      note_tick(state.step);
      copy_into(state.q, solver->incoming().q);
      copy_into(state.v, solver->incoming().v);
      copy_into(tau, solver->incoming().tau);
      require(solver->solve(plan_.plant), "host dynamics", tree_, plan_, state);
      const auto& answer = solver->answer();
      const std::vector<T> on_host = to_vector(answer.vdot), wrenches = to_vector(answer.reaction);
      outcome_.difference = compare<T>(state.step, "vdot", names_.v, vdot, on_host);
      if (!outcome_.difference) {
        outcome_.difference = compare<T>(state.step, "reaction", parts, reaction, wrenches);
      }
      if (outcome_.difference) break;
      target_hash.add_all(vdot), target_hash.add_all(reaction);
      host_hash.add_all(on_host), host_hash.add_all(wrenches);
      state = next_tick(state, tau);
      watch();
      agreed(state.step, target_hash.value(), host_hash.value());
    }
    return finish(state);
  }

  // A target that refuses tells a status; its twin, which gets no further, tells why.
  PlantState<T> run_target(PlantTarget<T>& target, std::uint64_t step, std::uint32_t count,
                           const std::vector<T>& tau) {
    try {
      if (costs_ == nullptr) return target.run(count, tau);
      PlantState<T> state;
      for (const std::uint64_t end = step + count; step != end; step = state.step) {
        const std::uint32_t part = costs_->at_once(step, static_cast<std::uint32_t>(end - step));
        state = target.run(part, tau);
        costs_->after_steps(step, part);
      }
      return state;
    } catch (const Refused&) {
      twin_->run(count, tau);
      throw;
    }
  }
  // Of what ticks on the target beside a plant on the host; in safe there is no such tick.
  void note_tick(std::uint64_t step, bool is_running = true) {
    if (costs_ == nullptr) return;
    if (!is_running) return costs_->no_tick(step);
    costs_->after_tick(step, scenario_.steps_a_tick());
  }
  void begin(const LoopSettings<T>& settings) {
    configure(client_, *plan_.robot, settings);
    twin_->set(plan_.start);
    watch();
  }
  void watch() { energy_.add(twin_->true_state(), twin_->work(), twin_->stored()); }
  // Of the host's plant, under the torques of this tick.
  PlantState<T> next_tick(const PlantState<T>& state, const std::vector<T>& tau) {
    const std::uint64_t count = std::min(scenario_.steps_a_tick(), scenario_.steps - state.step);
    return twin_->run(static_cast<std::uint32_t>(count), tau);
  }
  std::optional<link::LatenessReply> ask_lateness() {
    link::LatenessReply late;
    try {
      client_.ask(link::Lateness(), late);
    } catch (const Refused&) {
      return std::nullopt;  // a board without an operating system
    }
    return late;
  }
  link::DriveMode own_drive() const {
    constexpr link::DriveMode kOwn[] = {link::DriveMode::kTrackWaves, link::DriveMode::kTorqueWaves,
                                        link::DriveMode::kHoldWaves};
    return kOwn[static_cast<std::size_t>(scenario_.drive)];
  }
  void agreed(std::uint64_t steps, std::uint64_t target_hash, std::uint64_t host_hash) {
    outcome_.steps = steps;
    outcome_.target_hash = target_hash;
    outcome_.host_hash = host_hash;
    progress_(steps);
  }
  Outcome finish(const PlantState<T>& last) {
    outcome_.bounded = twin_->bounded();
    if (recorder_ != nullptr) end_record(last);
    outcome_.balance = energy_.balance();
    outcome_.verdict = energy_.verdict();
    client_.ask(link::Report(), outcome_.report);
    client_.tell(link::Stop());
    return outcome_;
  }

  // The last row wants the torques of the step after it; a difference ends the record before it.
  void end_record(const PlantState<T>& last) {
    if (outcome_.difference) {
      // of a target that runs by itself only the states are known that it was asked for
      return recorder_->cut(scenario_.mode == Mode::kFree ? outcome_.steps + 1
                                                          : outcome_.difference->step);
    }
    recorder_->expect_last();
    const bool new_tick = last.step % scenario_.steps_a_tick() == 0;
    const bool asks = plan_.plant.drive == link::DriveMode::kFrames && new_tick &&
                      scenario_.application != Application::kServo;
    twin_->foresee(asks ? host_->torques(last) : last.tau);
  }

  Client& client_;
  const Scenario& scenario_;
  Plan<T>& plan_;
  Recorder<T>* recorder_;
  const Progress& progress_;
  const Tree& tree_;
  EnergyWatch<T> energy_;
  CoordinateNames names_;
  PlantComparison<T> comparison_;
  std::unique_ptr<TwinController<T>> host_;
  std::unique_ptr<PlantTwin<T>> twin_;
  TickCosts* costs_;
  Outcome outcome_;
};

// Amid a run the target began anew, or another host took over: it may know of a fault.
Error after_reset(Client& client, const Refused& refused) {
  link::HelloReply hello;
  client.ask(link::Hello(), hello);
  if (!hello.has_fault) return Error(refused.what());
  client.open(hello.session);
  link::FaultReply fault;
  client.ask(link::Fault{.forget = true}, fault);
  return Error(std::string(refused.what()) + "; it had a fault: " + fault_text(fault));
}

}  // namespace

template <class T>
Outcome run(Client& client, const Tree& tree, const Scenario& scenario, Plan<T>& plan,
            Recorder<T>* recorder, const Progress& progress) {
  Runner<T> runner(client, tree, scenario, plan, recorder, progress);
  try {
    switch (scenario.application) {
      case Application::kController: return runner.controller();
      case Application::kDynamics: return runner.dynamics();
      case Application::kServo:
        return scenario.mode == Mode::kFree ? runner.servo_by_clock() : runner.servo();
      case Application::kPlant: break;
    }
    return scenario.mode == Mode::kFree ? runner.free_running() : runner.plant();
  } catch (const BrokeOff& error) {
    throw runner.with_gain(error);
  } catch (const Refused& refused) {
    if (refused.status() != Status::kWrongSession) throw;
    throw after_reset(client, refused);
  }
}

template Outcome run(Client&, const Tree&, const Scenario&, Plan<float>&, Recorder<float>*,
                     const Progress&);
template Outcome run(Client&, const Tree&, const Scenario&, Plan<double>&, Recorder<double>*,
                     const Progress&);

}  // namespace lockstep::host::hil
