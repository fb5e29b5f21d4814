// Threads that share pieces of work, for steppers that take an executor.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace lockstep::host {

class ThreadPool {
 public:
  // The caller's own thread is one of them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) once for each of 0 .. count - 1, and returns when all are done.
  void run(int count, const std::function<void(int)>& work);

 private:
  void serve();
  void take_pieces();

  const std::function<void(int)>* work_ = nullptr;
  int count_ = 0;
  std::atomic<int> next_ = 0;         // piece
  std::atomic<int> busy_ = 0;         // workers
  std::atomic<unsigned> orders_ = 0;  // given so far
  std::atomic<bool> closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace lockstep::host
