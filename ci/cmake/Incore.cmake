# incore_baseline_test(NAME BASELINE FILE OBJECTS TARGET...): a test that checks the loops of the targets' object files or programs against a baseline, and a target
# NAME-write that writes the baseline anew.
#
#   include(Incore)
#   incore_baseline_test(loops BASELINE ${CMAKE_SOURCE_DIR}/incore-baseline.json OBJECTS kernels)
find_program(INCORE_EXECUTABLE incore)

function(incore_baseline_test name)
  cmake_parse_arguments(ARG "" "BASELINE" "OBJECTS;ARCH" ${ARGN})
  if(NOT INCORE_EXECUTABLE)
    message(STATUS "incore not found: no test ${name}")
    return()
  endif()
  set(files)
  foreach(target IN LISTS ARG_OBJECTS)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      list(APPEND files $<TARGET_OBJECTS:${target}>)
    else()
      list(APPEND files $<TARGET_FILE:${target}>)
    endif()
  endforeach()
  # Names in a baseline are relative to the build folder, so that it holds on other machines.
  add_test(NAME ${name} COMMAND ${INCORE_EXECUTABLE} baseline check --baseline ${ARG_BASELINE} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  add_custom_target(${name}-write
    COMMAND ${CMAKE_COMMAND} -DINCORE=${INCORE_EXECUTABLE} "-DFILES=$<JOIN:${files},|>" -DBASELINE=${ARG_BASELINE} "-DARCH=${ARG_ARCH}" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/IncoreWrite.cmake
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} DEPENDS ${ARG_OBJECTS} VERBATIM)
endfunction()
