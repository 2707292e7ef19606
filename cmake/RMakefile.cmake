# What R must know to compile and link the package of r/: a makefile with GNOMON_CPPFLAGS and GNOMON_LIBS.
#   gnomon_r_makefile(OUTPUT "flags that find our headers" "our archives")
function(gnomon_r_makefile output headers archives)
  get_target_property(includes Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  list(APPEND includes ${OpenBLAS_INCLUDE_DIR} ${LAPACKE_INCLUDE_DIR})
  list(REMOVE_ITEM includes ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})  # naming those again hides the compiler's own
  list(TRANSFORM includes PREPEND -I)
  list(JOIN includes " " includes)
  file(GENERATE OUTPUT ${output} CONTENT
"GNOMON_CPPFLAGS = ${headers} ${includes} -D$<JOIN:$<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>, -D>
GNOMON_LIBS = ${archives} $<TARGET_FILE:fmt::fmt> ${ZLIB_LIBRARIES} ${LAPACKE_LIBRARY} ${OpenBLAS_LIBRARY} \
-pthread -Wl,--exclude-libs,ALL
")
endfunction()
