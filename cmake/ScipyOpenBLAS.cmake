# The OpenBLAS that NumPy and SciPy ship, from the Python package scipy-openblas32: newer than a distribution's, so that it knows
# the newest processors, and with `scipy_` before every name, so that it lives beside any other BLAS of a process.
#
# No source of ours says `scipy_`: cblas.h and lapacke.h in front of the package's own give each of its functions its plain
# name again. They are made from the declarations that they stand before, and so hold what that version holds.
find_package(Python REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python_EXECUTABLE} -c
                        "import scipy_openblas32 as b; print(b.get_include_dir(), b.get_lib_dir(), sep=';', end='')"
                OUTPUT_VARIABLE places RESULT_VARIABLE missing ERROR_QUIET)
if(NOT missing)
  list(GET places 0 include)
  list(GET places 1 folder)
  # Not cached: pip builds in an environment that is gone afterwards.
  find_path(package_include lapacke.h PATHS ${include} NO_DEFAULT_PATH NO_CACHE)
  find_library(package_library scipy_openblas PATHS ${folder} NO_DEFAULT_PATH NO_CACHE)
endif()
find_package_handle_standard_args(OpenBLAS NAME_MISMATCHED REQUIRED_VARS package_library package_include
                                  REASON_FAILURE_MESSAGE "${Python_EXECUTABLE} -m pip install scipy-openblas32")
if(NOT OpenBLAS_FOUND OR TARGET OpenBLAS::LAPACKE)
  return()
endif()

# Copies, so that the build folder outlives that environment; written only where they differ, which recompiles nothing.
set(copies "${CMAKE_CURRENT_BINARY_DIR}/scipy_openblas")
file(MAKE_DIRECTORY "${copies}/package" "${copies}/names")
file(GLOB headers "${package_include}/*.h")
cmake_path(GET package_library FILENAME library)
set(ScipyOpenBLAS_LIBRARY "${copies}/${library}")
file(COPY_FILE "${package_library}" "${ScipyOpenBLAS_LIBRARY}" ONLY_IF_DIFFERENT)
foreach(header IN LISTS headers)
  cmake_path(GET header FILENAME name)
  file(COPY_FILE "${header}" "${copies}/package/${name}" ONLY_IF_DIFFERENT)
endforeach()
foreach(header cblas.h lapacke.h)
  file(READ "${package_include}/${header}" text)
  string(REGEX MATCHALL "scipy_[A-Za-z0-9_]+" names "${text}")
  list(REMOVE_DUPLICATES names)
  list(TRANSFORM names REPLACE "^scipy_(.+)$" "#define \\1 scipy_\\1")
  list(JOIN names "\n" definitions)
  file(CONFIGURE OUTPUT "${copies}/names/${header}"
       CONTENT "#pragma once\n#pragma GCC system_header\n#include_next <${header}>\n${definitions}\n" @ONLY)
endforeach()
add_library(OpenBLAS::LAPACKE INTERFACE IMPORTED)
target_include_directories(OpenBLAS::LAPACKE INTERFACE "${copies}/names" "${copies}/package")
target_link_libraries(OpenBLAS::LAPACKE INTERFACE "${ScipyOpenBLAS_LIBRARY}")
