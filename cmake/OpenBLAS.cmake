# OpenBLAS, the pthread flavour, with LAPACKE on top: sets OpenBLAS_FOUND and makes the target OpenBLAS::LAPACKE. Included
# by path, here and by gnomonConfig.cmake, so that no module path has to be changed.
# GNOMON_OPENBLAS says which one: the system's, or `scipy`, that of the Python package scipy-openblas32, for wheels.
include(FindPackageHandleStandardArgs)
if(GNOMON_OPENBLAS STREQUAL scipy)
  include("${CMAKE_CURRENT_LIST_DIR}/ScipyOpenBLAS.cmake")
  return()
endif()

# The OpenMP flavour spins at its barriers and collapses when another process takes a core.
find_path(OpenBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES x86_64-linux-gnu/openblas-pthread
          aarch64-linux-gnu/openblas-pthread openblas-pthread openblas)
find_path(LAPACKE_INCLUDE_DIR lapacke.h)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES x86_64-linux-gnu/openblas-pthread
             aarch64-linux-gnu/openblas-pthread openblas-pthread)
find_library(LAPACKE_LIBRARY lapacke)
find_package_handle_standard_args(OpenBLAS NAME_MISMATCHED
                                  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR LAPACKE_LIBRARY
                                                LAPACKE_INCLUDE_DIR)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::LAPACKE)
  add_library(OpenBLAS::LAPACKE INTERFACE IMPORTED)
  target_include_directories(OpenBLAS::LAPACKE INTERFACE ${OpenBLAS_INCLUDE_DIR} ${LAPACKE_INCLUDE_DIR})
  target_link_libraries(OpenBLAS::LAPACKE INTERFACE ${LAPACKE_LIBRARY} ${OpenBLAS_LIBRARY})
endif()
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY)
