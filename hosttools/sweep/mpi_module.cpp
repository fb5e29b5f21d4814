// The ranks of `mpirun lockstep sweep`. A library of its own, which the tool loads where mpirun has
// started it: without MPI the tool is whole. Any error of MPI ends all ranks, as MPI does by
// itself.
#include <mpi.h>

#include <algorithm>
#include <string>

#include "sweep/rank_functions.h"

namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // MPI counts in int
constexpr int kSize = 1, kPiece = 2;                       // tags

void send(const char* bytes, std::size_t size) {
  MPI_Send(&size, sizeof size, MPI_BYTE, 0, kSize, MPI_COMM_WORLD);
  for (std::size_t at = 0; at < size; at += kMostAtOnce) {
    const std::size_t piece = std::min(kMostAtOnce, size - at);
    MPI_Send(bytes + at, static_cast<int>(piece), MPI_BYTE, 0, kPiece, MPI_COMM_WORLD);
  }
}

std::string receive(int rank) {
  std::size_t size = 0;
  MPI_Recv(&size, sizeof size, MPI_BYTE, rank, kSize, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; at += kMostAtOnce) {
    const std::size_t piece = std::min(kMostAtOnce, size - at);
    MPI_Recv(bytes.data() + at, static_cast<int>(piece), MPI_BYTE, rank, kPiece, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  return bytes;
}

LockstepRanks ranks = {};

void gather(const char* bytes, std::size_t size, void (*take)(void*, const char*, std::size_t),
            void* to) {
  if (ranks.rank != 0) return send(bytes, size);
  take(to, bytes, size);
  for (int rank = 1; rank < ranks.count; ++rank) {
    const std::string others = receive(rank);
    take(to, others.data(), others.size());
  }
}

int hear(int word) {
  MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return word;
}

void leave() { MPI_Finalize(); }

}  // namespace

extern "C" const LockstepRanks* lockstep_join() {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);  // other threads only compute
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  ranks.gather = gather;
  ranks.hear = hear;
  ranks.leave = leave;
  return &ranks;
}
