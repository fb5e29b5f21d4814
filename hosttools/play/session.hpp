// A robot that someone plays with: `lockstep sim` of a URDF, taken step by step, with hands on it
// in between. Without hands its hash is that of sim's run, and after them that of a run that
// continues from saved(): the same simulate().
#pragma once

#include "sim/joint_start.hpp"
#include "system/json_file.hpp"

namespace lockstep::host::play {

class Session {
 public:
  // As the command line would have it. Warnings go to standard error. Throws Error.
  explicit Session(const sim::SimOptions& options);

  // What the page draws and tells of the robot: scene, columns, joints, sizes.
  Json facts() const;

  // Throws Error if the run breaks off.
  void step(std::uint64_t count);
  std::uint64_t steps() const { return start_.state.step; }
  std::uint64_t hash() const { return start_.state.hash; }
  // The record's row of this moment: the time, then its columns.
  const std::vector<double>& row() const { return row_; }

  // Of a joint with one degree of freedom, named by its place in q: while drives hold it, where
  // they are to bring it; otherwise where it is, at rest. False if loops would not close there.
  bool set_joint(int place, double value);
  // Impulse (N s) at a point of a body, both in world axes. False if the robot is beyond answering.
  bool push(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& impulse);
  // Where it is now, by these gains, N m/rad and N m s/rad; without, nothing does.
  void hold(const std::optional<Hold>& gains);

  // What `sim --restore` continues from.
  std::string saved() const;

 private:
  void look();
  JointRecord record() const;

  sim::SimOptions options_;
  sim::JointStart start_;
  std::vector<double> row_;
};

}  // namespace lockstep::host::play
