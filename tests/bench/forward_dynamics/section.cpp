#include "section.hpp"

#include <unistd.h>

#include <cstdio>

namespace lockstep::bench {

void show_progress(const char* section, int sweep, int sweeps) {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  if (!terminal && sweep % 5 != 1) return;
  std::fprintf(stderr, "%s%s: sweep %d of %d%s", terminal ? "\r\033[K" : "", section, sweep, sweeps,
               terminal ? "" : "\n");
  if (terminal && sweep == sweeps) std::fprintf(stderr, "\n");
}

void show_step(const std::string& step) { std::fprintf(stderr, "%s\n", step.c_str()); }

}  // namespace lockstep::bench
