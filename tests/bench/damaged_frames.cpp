// How many damaged frames pass for good ones: none, of as many as you have time for.
//   damaged_frames [FRAMES [SEED]]     1e7 unless told; other seeds damage other frames
// Takes about ten seconds. Exit code 1 if a frame came out changed or a good frame was lost.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "support/damaged_line.hpp"

int main(int argc, char** argv) {
  const double wanted = argc > 1 ? std::atof(argv[1]) : 1e7;
  if (!(wanted >= 1 && wanted <= 1e12)) {
    std::fprintf(stderr, "damaged_frames: '%s': give the number of frames, 1 to 1e12\n", argv[1]);
    return 1;
  }
  const double seed = argc > 2 ? std::atof(argv[2]) : 20240229;
  if (!(seed >= 1 && seed <= 1e9)) {
    std::fprintf(stderr, "damaged_frames: '%s': give a seed, 1 to 1e9\n", argv[2]);
    return 1;
  }
  using Clock = std::chrono::steady_clock;
  using Line = lockstep::test::DamagedLine<lockstep::link::kLargestPayload>;
  const auto line = std::make_unique<Line>(static_cast<std::uint64_t>(seed));
  auto next_sign = Clock::now() + std::chrono::seconds(2);
  while (static_cast<double>(line->sent()) < wanted) {
    line->send();
    if (line->sent() % 4096 != 0 || Clock::now() < next_sign) continue;
    std::fprintf(stderr, "\rdamaged_frames %3.0f %%",
                 100 * static_cast<double>(line->sent()) / wanted);
    next_sign += std::chrono::seconds(1);
  }
  std::fprintf(stderr, "\r");
  std::printf(
      "%ld damaged frames: %ld accepted changed, %ld unharmed by the damage; "
      "%ld good frames lost behind them\n",
      line->sent(), line->changed(), line->unharmed(), line->lost());
  return line->changed() == 0 && line->lost() == 0 ? 0 : 1;
}
