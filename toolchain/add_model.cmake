# lockstep_add_model(<target> URDF <file> [NAME <name>] [BASE fixed|floating] [OPTIONS ...])
#
# Gives a library to link that offers <target>.hpp, the static model of the robot; NAME is the
# model's name in C++ (default: the target's), OPTIONS go to `lockstep compile` as they are. The
# header is written again when the URDF or the tool changes.
include_guard(GLOBAL)

function(lockstep_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "URDF;NAME;BASE" "OPTIONS")
  if(NOT arg_URDF OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "lockstep_add_model(<target> URDF <file> [NAME <name>] [BASE fixed|floating] [OPTIONS ...])")
  endif()
  if(NOT arg_NAME)
    string(MAKE_C_IDENTIFIER "${target}" arg_NAME)
  endif()
  set(base)
  if(arg_BASE)
    set(base --base "${arg_BASE}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_URDF BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/models/${target}")
  set(header "${folder}/${target}.hpp")

  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${header}"
    COMMAND lockstep::tool compile "${arg_URDF}" -o "${header}" --name "${arg_NAME}"
            ${base} ${arg_OPTIONS}
    DEPENDS "${arg_URDF}" "$<TARGET_FILE:lockstep::tool>"
    COMMENT "Compiling ${target} from its URDF"
    VERBATIM)
  add_custom_target(${target}_header DEPENDS "${header}")

  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_header)
  target_include_directories(${target} INTERFACE "${folder}")
  target_link_libraries(${target} INTERFACE lockstep::core)
endfunction()
