# The robots of the benchmark, for the program and for every build of Lockstep: includers define
# add_robot(<name> <base> <static goal> <table goal> <urdf>).
# Goals are shares of MuJoCo's time, measured on one machine with peers that Debian does not have:
# the first by code generated from Pinocchio (for ball joints, which nobody generates, a third of
# the best library's time), the second by the best library. 0: none.
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(LOCKSTEP_CONFORMANCE_DIR "${root}/../shared/conformance" CACHE PATH
  "robots with known answers; left out when the folder is not there")
set(models "${root}/models")
set(real "${LOCKSTEP_CONFORMANCE_DIR}/robots")
set(made "${CMAKE_CURRENT_BINARY_DIR}")
foreach(joints 127 255)
  execute_process(COMMAND "${models}/make_ball_tree" ${joints}
    OUTPUT_FILE "${made}/ball_tree_${joints}.urdf" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

add_robot(six_axis_arm    fixed    0     0     "${models}/six_axis_arm.urdf")
add_robot(seven_axis_arm  fixed    0     0     "${models}/seven_axis_arm.urdf")
add_robot(quadruped       floating 0     0     "${models}/quadruped.urdf")
add_robot(humanoid        floating 0     0     "${models}/humanoid.urdf")
add_robot(ur5             fixed    0.158 0.608 "${real}/ur__ur5_robot.urdf")
add_robot(panda           fixed    0.235 0.626 "${real}/panda.urdf")
add_robot(kinova          fixed    0.260 0.579 "${real}/kinova.urdf")
add_robot(solo12          floating 0.240 0.587 "${real}/solo__solo12.urdf")
add_robot(anymal_c        floating 0.348 0.629 "${real}/anymal_c_simple__anymal.urdf")
add_robot(hyq             floating 0.301 0.604 "${real}/hyq__hyq_no_sensors.urdf")
add_robot(simple_humanoid floating 0.218 0.571 "${real}/simple_humanoid.urdf")
add_robot(talos_reduced   floating 0.263 0.571 "${real}/talos__talos_reduced.urdf")
add_robot(baxter          fixed    0.279 0.632 "${real}/baxter.urdf")
add_robot(ball_tree_31    fixed    0.118 0.354 "${models}/ball_tree_31.urdf")
add_robot(ball_tree_127   fixed    0.088 0.263 "${made}/ball_tree_127.urdf")
add_robot(ball_tree_255   fixed    0.077 0.230 "${made}/ball_tree_255.urdf")
