#include "system/thread_pool.hpp"

namespace lockstep::host {

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  closing_ = true;
  ++orders_;
  orders_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int count, const std::function<void(int)>& work) {
  work_ = &work;
  count_ = count;
  next_ = 0;
  if (count > 1 && !workers_.empty()) {
    busy_ = static_cast<int>(workers_.size());
    ++orders_;
    orders_.notify_all();
  }
  take_pieces();
  // every worker has left this order before the next is written
  for (int busy = busy_; busy > 0; busy = busy_) busy_.wait(busy);
}

void ThreadPool::serve() {
  for (unsigned seen = 0;;) {
    orders_.wait(seen);
    ++seen;
    if (closing_) return;
    take_pieces();
    if (--busy_ == 0) busy_.notify_all();
  }
}

void ThreadPool::take_pieces() {
  for (int i = next_++; i < count_; i = next_++) (*work_)(i);
}

}  // namespace lockstep::host
