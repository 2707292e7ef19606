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
  find_path(ScipyOpenBLAS_INCLUDE_DIR lapacke.h PATHS ${include} NO_DEFAULT_PATH)
  find_library(ScipyOpenBLAS_LIBRARY scipy_openblas PATHS ${folder} NO_DEFAULT_PATH)
endif()
find_package_handle_standard_args(OpenBLAS NAME_MISMATCHED
                                  REQUIRED_VARS ScipyOpenBLAS_LIBRARY ScipyOpenBLAS_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "${Python_EXECUTABLE} -m pip install scipy-openblas32")
mark_as_advanced(ScipyOpenBLAS_INCLUDE_DIR ScipyOpenBLAS_LIBRARY)
if(NOT OpenBLAS_FOUND OR TARGET OpenBLAS::LAPACKE)
  return()
endif()

set(plain_names "${CMAKE_CURRENT_BINARY_DIR}/scipy_openblas")
foreach(header cblas.h lapacke.h)
  file(READ "${ScipyOpenBLAS_INCLUDE_DIR}/${header}" text)
  string(REGEX MATCHALL "scipy_[A-Za-z0-9_]+" names "${text}")
  list(REMOVE_DUPLICATES names)
  list(TRANSFORM names REPLACE "^scipy_(.+)$" "#define \\1 scipy_\\1")
  list(JOIN names "\n" definitions)
  # Compared before it is written: unchanged headers recompile nothing.
  file(CONFIGURE OUTPUT "${plain_names}/${header}"
       CONTENT "#pragma once\n#pragma GCC system_header\n#include_next <${header}>\n${definitions}\n" @ONLY)
endforeach()
add_library(OpenBLAS::LAPACKE INTERFACE IMPORTED)
target_include_directories(OpenBLAS::LAPACKE BEFORE INTERFACE ${plain_names} ${ScipyOpenBLAS_INCLUDE_DIR})
target_link_libraries(OpenBLAS::LAPACKE INTERFACE ${ScipyOpenBLAS_LIBRARY})
