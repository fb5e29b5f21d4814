// Links by name: a frame on a body, in the scalar of a computation.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <concepts>
#include <string_view>

#include "lockstep/model.hpp"
#include "lockstep/spatial.hpp"

namespace lockstep {

// A frame fixed to a body, such as a link, in the scalar of the computation.
template <class T>
struct LinkFrame {
  int body = kWorld;
  Placement<T> X_BL;

  constexpr LinkFrame() : LinkFrame(NamedFrame{}) {}
  constexpr explicit LinkFrame(const NamedFrame& frame)
      : body(frame.body),
        X_BL{Mat3<T>::from_rows(to_scalars(frame.R_BF)), to_vector(to_scalars(frame.p_BF))} {}
  // A frame in double serves every scalar. A template: otherwise frames in double had no copies.
  template <std::same_as<double> U>
  requires(!std::same_as<T, double>) constexpr explicit(false) LinkFrame(const LinkFrame<U>& frame)
      : body(frame.body),
        X_BL{{to_vector(frame.X_BL.R.x), to_vector(frame.X_BL.R.y), to_vector(frame.X_BL.R.z)},
             to_vector(frame.X_BL.p)} {}

 private:
  template <std::size_t kSize>
  static constexpr std::array<T, kSize> to_scalars(const std::array<double, kSize>& values) {
    std::array<T, kSize> result{};
    for (std::size_t i = 0; i < kSize; ++i) result[i] = static_cast<T>(values[i]);
    return result;
  }
  static constexpr Vec3<T> to_vector(const std::array<T, 3>& a) { return {a[0], a[1], a[2]}; }
  static constexpr Vec3<T> to_vector(const Vec3<double>& a) requires(!std::same_as<T, double>) {
    return {static_cast<T>(a.x), static_cast<T>(a.y), static_cast<T>(a.z)};
  }
};

// Never defined: a compiler that comes here while it looks up a name stops.
void the_model_has_no_link_of_this_name();

// A link of an emitted model by its name in the URDF, found while compiling. In double it serves
// every scalar; in a scalar of its own nothing is left to convert.
template <EmittedModel Model, class T = double>
consteval LinkFrame<T> link_frame(std::string_view name) {
  for (std::size_t i = 0; i < Model::kFrameNames.size(); ++i) {
    if (Model::kFrameNames[i] == name) return LinkFrame<T>(Model::kFrames[i]);
  }
  the_model_has_no_link_of_this_name();
  return {};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
