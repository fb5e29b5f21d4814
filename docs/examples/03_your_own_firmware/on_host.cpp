// The same arm on the host, for its hash.
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "hold.hpp"

int main() {
  Hold hold;
  hold.start();
  for (int i = 0; i < Hold::kTicks; ++i) {
    if (!hold.tick()) return 1;
  }
  for (int joint = 0; joint < 3; ++joint) {
    // where nothing but damping slows it down: it has gone on a little, and has not fallen
    if (!(std::abs(hold.angle(joint) - 0.3f) < 0.06f)) return 2;
  }
  std::printf("held for 500 ticks, hash %016" PRIx64 "\n", hold.hash());
}
