// The runs of tests/bench/sweep/race by MuJoCo: one model, data of its own on each thread, mj_step
// in a loop. It reads the same URDF.
//   bench_sweep_mujoco ROBOT.urdf JOINT FROM TO RUNS STEPS THREADS free|bounded
// Prints seconds of the clock, and the joint's last position in the first run and in the last.
#include <mujoco/mujoco.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 9) return 1;
  char why[1000] = "";
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(
      mj_loadXML(argv[1], nullptr, why, sizeof why), mj_deleteModel);
  if (!model) {
    std::fprintf(stderr, "%s: %s\n", argv[1], why);
    return 1;
  }
  const int joint = mj_name2id(model.get(), mjOBJ_JOINT, argv[2]);
  if (joint < 0) {
    std::fprintf(stderr, "%s: no joint %s\n", argv[1], argv[2]);
    return 1;
  }
  const int at = model->jnt_qposadr[joint];
  const double from = std::atof(argv[3]), to = std::atof(argv[4]);
  const int runs = std::atoi(argv[5]), steps = std::atoi(argv[6]), threads = std::atoi(argv[7]);
  model->opt.timestep = 0.001;
  model->opt.gravity[2] = -9.81;
  model->opt.disableflags |= mjDSBL_CONTACT;
  if (std::string_view(argv[8]) == "free") {
    model->opt.disableflags |= mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
  }
  std::vector<double> last(static_cast<std::size_t>(runs));
  std::atomic<int> next = 0;
  const auto serve = [&] {
    const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
    for (int run = next++; run < runs; run = next++) {
      mj_resetData(model.get(), data.get());
      data->qpos[at] = from + (to - from) * run / (runs - 1);
      for (int i = 0; i < steps; ++i) mj_step(model.get(), data.get());
      last[static_cast<std::size_t>(run)] = data->qpos[at];
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> team;
    for (int i = 0; i < threads; ++i) team.emplace_back(serve);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("%.6f %.9f %.9f\n", taken.count(), last.front(), last.back());
}
