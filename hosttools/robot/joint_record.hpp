// What a run of a robot in joint space records, whoever runs it: of each joint its motion and the
// torques that act from this time on; where joints are told what to do, what that is and how far
// they are from it; of the step that led here, the forces of loops, limits, friction and contacts;
// the energy; how far loops are off. `q.elbow [rad]`, `q_ref.elbow [rad]`, `error.elbow [rad]`,
// `limit.knee [N m]`, `contact.foot.z [N]`, `energy [J]`. For a page also what joints carry and
// where contacts act, in the world: `reaction.knee.z [N]`, `contact_at.foot.x [m]`.
#pragma once

#include "lockstep/integrate/settings.hpp"
#include "model/rotor_map.hpp"
#include "oracle/energy.hpp"
#include "robot/bounds.hpp"
#include "robot/hold_limit.hpp"

namespace lockstep::host {

// In seconds; where a second is a whole number of steps, the decimal nearest to it.
double time_of(std::uint64_t step, double dt);

// What the joints with one degree of freedom are to do; the rest of q and v says nothing.
struct JointReference {
  Eigen::VectorXd q, v;
};

// A state and the torques that act from it on; of loops and couplings, the forces of the rows in
// the step that led here, zero at first, and the errors; of bounds, a row of bounded_columns, and
// where contacts act; of every joint of that step its reaction, as the solvers give it.
struct JointMoment : DenseInput {
  Eigen::VectorXd lambda = {}, bounded = {}, contact_at = {};
  Matrix6Xd reaction = {};
  ConstraintErrors<double> errors = {};
  std::optional<JointReference> reference = {};
  std::vector<double> devices = {};  // a row of drivetrains' and sensors' columns
  double stored = 0;                 // J, in contacts that yield
  double work = 0, damped = 0;  // J, of the torques since the first state, and of those that brake
};

// All but the torques and the reference, of the whole robot, from a plant of the computed one.
template <class Plant>
void read_moment(const Plant& plant, const RotorMap& map, const Bounded& bounded,
                 JointMoment& now) {
  const auto& stepping = plant.stepping();
  now.q = map.whole_q(plant.motion().q.template cast<double>());
  now.v = map.whole_v(plant.motion().v.template cast<double>());
  now.lambda = stepping.lambda();
  now.errors = stepping.errors();
  now.stored = stepping.stored();
  now.bounded = stepping.was_bounded() ? bounded_row(bounded, stepping.result())
                                       : Eigen::VectorXd::Zero(bounded.size());
  now.contact_at =
      stepping.was_bounded()
          ? contact_places(bounded, stepping.result())
          : Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * bounded.touching.size()));
  now.reaction = map.whole_columns(stepping.reaction());
}

class JointRecord {
 public:
  // `referenced`: moments have a reference. `loads`: with what a page draws as arrows.
  JointRecord(const RobotTrees& robot, const Bounds& bounds, bool referenced, bool loads = false);

  std::vector<RecordColumn> columns() const;
  std::vector<double> row(const JointMoment& now, const Mechanics& mechanics) const;

 private:
  struct Single {  // a joint with one degree of freedom
    std::string name;
    const char *unit, *rate_unit;
    Eigen::Index q, v;
  };

  const RobotTrees& robot_;
  const Bounded bounded_;
  const bool has_rows_;  // whose forces and errors are told
  const bool loads_;
  std::vector<Single> referenced_;
};

}  // namespace lockstep::host
