// An open file that closes itself; -1 is none.
#pragma once

#include <utility>

namespace lockstep::host {

class Descriptor {
 public:
  explicit Descriptor(int file = -1) : file_(file) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }

  int get() const { return file_; }
  void reset();

 private:
  int file_;
};

}  // namespace lockstep::host
