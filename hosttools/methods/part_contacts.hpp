// Contacts of a mechanism's bodies as parts of one contact each (Bender 2007, section 5): after the
// joints' parts a sweep goes through them in their order. Over a step a contact's gap must not
// close, its normal impulse never pulls, and friction holds the points together up to the cone. At
// the step's end the same impulses are asked to stop, or to throw back, what arrives.
#pragma once

#include <vector>

#include "lockstep/contact/found_contacts.hpp"
#include "lockstep/integrate/settings.hpp"
#include "lockstep/maximal/sparse_system.hpp"

namespace lockstep::host::methods {

using namespace maximal;

// The larger magnitude; NaN if one is.
template <class T>
T larger(const T& a, const T& b) {
  return largest(Eigen::Vector<T, 2>(a, b));
}

template <class Mechanism, int kMaxContacts>
class PartContacts {
 public:
  using T = typename Mechanism::Scalar;
  using State = maximal::State<Mechanism>;
  using Velocities = VelocitiesOf<Mechanism>;

  explicit PartContacts(const Mechanism& mechanism)
      : mechanism_(mechanism), places_(at(mechanism.counts().bodies)) {}

  Status assign(const contact::Scene<T>& scene) {
    return found_.assign(scene, mechanism_.counts().bodies);
  }

  int size() const { return found_.size(); }
  int dropped() const { return found_.dropped(); }
  // N s over the last step: along the normal and two tangents, on A.
  const std::array<T, 3>& impulse(int i) const { return touches_[at(i)].lambda; }

  // Adds what the contacts passed on to the bodies over the last step, along their velocities.
  void add_impulses(Velocities& sum) const {
    for (int i = 0; i < found_.size(); ++i) {
      const Touch& touch = touches_[at(i)];
      for (const End* end : {&touch.a, &touch.b}) {
        for (std::size_t row = 0; row < 3; ++row) {
          for (int j = 0; j < end->dimension; ++j) {
            sum[end->v + j] = sum[end->v + j] + touch.lambda[row] * end->J[row][at(j)];
          }
        }
      }
    }
  }

  // Those that a step from this state may meet. `margin`: how far ahead.
  Status find(const State& state, const T& margin) {
    place_bodies(mechanism_, state, std::span(places_));
    const Status status = found_.find(places_, margin);
    touches_.resize(at(found_.size()));
    for (int i = 0; i < found_.size(); ++i) begin(found_[i], state, touches_[at(i)]);
    return status;
  }

  // What the contacts lack while the bodies go from where they were found to `end`, over h.
  void aim_at_positions(const State& end, const T& h) {
    const T per_step = T(1) / h;
    for (int i = 0; i < found_.size(); ++i) {
      Touch& touch = touches_[at(i)];
      const auto [n, t, s] = contact::directions(found_[i].normal);
      const Vec3<T> slid = shift(touch.a, touch.a.point, end) - shift(touch.b, touch.b.point, end);
      touch.gap = found_[i].distance + dot(n, shift(touch.a, touch.a.carrier, end) -
                                                  shift(touch.b, touch.b.carrier, end));
      touch.b_rows = {per_step * touch.gap, per_step * dot(t, slid), per_step * dot(s, slid)};
      touch.active = true;
    }
  }

  // What the velocities at the end lack. Only what the step brought into touch takes part.
  void aim_at_velocities(const State& end, const T& tolerance, const T& bounce_speed) {
    for (int i = 0; i < found_.size(); ++i) {
      Touch& touch = touches_[at(i)];
      touch.active = touch.lambda[0] > T(0) || touch.gap <= tolerance;
      if (!touch.active) continue;
      contact::Contact<T> moved = found_[i];
      moved.point = moved.point + shift(touch.a, touch.a.carrier, end);
      linearize(moved, end, touch);
      for (std::size_t row = 0; row < 3; ++row) touch.b_rows[row] = rate(touch, row, end.v);
      if (touch.before < -bounce_speed) {
        touch.b_rows[0] = touch.b_rows[0] + moved.material.restitution * touch.before;
      }
    }
  }

  // One sweep: changes v, and returns by how much the worst contact's velocity was not as asked.
  T correct(Velocities& v) {
    T worst(0);
    for (int i = 0; i < found_.size(); ++i) {
      Touch& touch = touches_[at(i)];
      if (!touch.active) continue;
      const T normal = touch.lambda[0] - row(touch, 0, v) / touch.A[0];
      push(touch, 0, normal > T(0) ? normal : T(0), v, worst);
      T along = touch.lambda[1] - row(touch, 1, v) / touch.A[1];
      T aside = touch.lambda[2] - row(touch, 2, v) / touch.A[2];
      const T most = found_[i].material.friction * touch.lambda[0];
      const T size = sqrt(along * along + aside * aside);
      if (size > most) along = along * (most / size), aside = aside * (most / size);
      push(touch, 1, along, v, worst);
      push(touch, 2, aside, v, worst);
    }
    return worst;
  }

  // By how much gaps are closed further than they may be, at the state last aimed at.
  T deepest() const {
    T most(0);
    for (const Touch& touch : touches_) {
      if (!(touch.gap >= T(0))) most = larger(most, touch.gap);
    }
    return most;
  }

 private:
  static constexpr int kColumns = Mechanism::kMaxDimension;

  // A point fixed to a body: in its axes, and where it was.
  struct Mark {
    Vec3<T> in_body, was;
  };
  struct End {
    int body = kWorld, v = 0, dimension = 0;
    Mark point;    // what friction holds
    Mark carrier;  // what keeps its distance: the centre of a rolling ball, or the point
    Matrix<T, 3, kColumns> J, W;  // rows, and M^-1 J^T
  };
  struct Touch {
    End a, b;
    std::array<T, 3> b_rows, lambda, A;
    T gap, before;  // m at the end of the step; m/s along the normal at its beginning
    bool active;
  };

  // f(body, pose, velocity) with its own type.
  template <class F>
  void with_body(int body, const State& state, F&& f) const {
    if (body == kWorld) return f(World<T>{}, typename World<T>::Pose{}, maximal::Vector<T, 0>{});
    mechanism_.body(body, [&]<class B>(const B& own, const BodyPlace& place) {
      f(own, load<typename B::Pose>(state.x.data() + place.x),
        load<maximal::detail::VelocityOf<B>>(state.v.data() + place.v));
    });
  }

  void begin(const contact::Contact<T>& contact, const State& state, Touch& touch) {
    const auto mark = [&](End& end, int body, const T& rolling) {
      end.body = body;
      if (body != kWorld) {
        mechanism_.body(body, [&](const auto&, const BodyPlace& place) { end.v = place.v; });
      }
      const Placement<T> X = body == kWorld ? identity<T>() : places_[at(body)];
      const auto fix = [&](const Vec3<T>& p) { return Mark{transpose_times(X.R, p - X.p), p}; };
      end.point = fix(contact.point);
      end.carrier = fix(contact.point + rolling * contact.normal);
    };
    mark(touch.a, contact.a, contact.rolling_a);
    mark(touch.b, contact.b, -contact.rolling_b);
    touch.lambda = {};
    linearize(contact, state, touch);
    touch.before = rate(touch, 0, state.v);
  }

  // How far a mark has moved.
  Vec3<T> shift(const End& end, const Mark& mark, const State& state) const {
    Vec3<T> moved{};
    with_body(end.body, state, [&](const auto& body, const auto& pose, const auto& v) {
      moved = body.kinematics(pose, v, {identity<T>().R, mark.in_body}).frame.p - mark.was;
    });
    return moved;
  }

  void linearize(const contact::Contact<T>& contact, const State& state, Touch& touch) {
    AnyKinematics<T, kColumns> k_A{}, k_B{};
    look(touch.a, state, k_A), look(touch.b, state, k_B);
    Blocks<T, 3, kColumns, kColumns> blocks;
    put_on_bodies(contact::touching(contact).rows(k_A.frame, k_B.frame, state.time), k_A, k_B,
                  blocks);
    touch.a.J = blocks.J_A, touch.b.J = blocks.J_B;
    touch.A = {};
    for (End* end : {&touch.a, &touch.b}) weigh(state, *end, touch.A);
  }

  void look(End& end, const State& state, AnyKinematics<T, kColumns>& any) const {
    with_body(end.body, state, [&](const auto& body, const auto& pose, const auto& v) {
      any.take(body.kinematics(pose, v, identity<T>()));
      end.dimension = any.dimension;
    });
  }

  // W, and the response of each row to its own impulse.
  void weigh(const State& state, End& end, std::array<T, 3>& A) const {
    with_body(end.body, state, [&]<class B>(const B& body, const auto& pose, const auto&) {
      if constexpr (B::kDimension > 0) {
        constexpr NodeShape kShape = {.dimension = B::kDimension};
        auto M = body.mass_matrix(pose);
        static_cast<void>(lockstep::detail::factor_definite(kShape, M[0].data()));
        for (std::size_t i = 0; i < 3; ++i) {
          end.W[i] = end.J[i];
          lockstep::detail::apply_inverse(kShape, M[0].data(), end.W[i].data(), 1);
          for (std::size_t j = 0; j < at(B::kDimension); ++j) {
            A[i] = A[i] + end.J[i][j] * end.W[i][j];
          }
        }
      }
    });
  }

  static T rate(const End& end, std::size_t i, const Velocities& v) {
    T sum(0);
    for (int j = 0; j < end.dimension; ++j) sum = sum + end.J[i][at(j)] * v[end.v + j];
    return sum;
  }
  static T rate(const Touch& touch, std::size_t i, const Velocities& v) {
    return rate(touch.a, i, v) + rate(touch.b, i, v);
  }
  static T row(const Touch& touch, std::size_t i, const Velocities& v) {
    return touch.b_rows[i] + rate(touch, i, v);
  }

  static void push(Touch& touch, std::size_t i, const T& lambda, Velocities& v, T& worst) {
    const T change = lambda - touch.lambda[i];
    touch.lambda[i] = lambda;
    for (const End* end : {&touch.a, &touch.b}) {
      for (int j = 0; j < end->dimension; ++j) {
        v[end->v + j] = v[end->v + j] + change * end->W[i][at(j)];
      }
    }
    worst = larger(worst, change * touch.A[i]);
  }

  [[no_unique_address]] MechanismMember<Mechanism> mechanism_;
  contact::FoundContacts<T, contact::Plane<T>, kMaxContacts> found_;
  std::vector<Touch> touches_;
  std::vector<Placement<T>> places_;
};

}  // namespace lockstep::host::methods
