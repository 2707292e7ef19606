# gnomon_batch(<target> [ALONE <file>...]): where CMAKE_UNITY_BUILD is on, compiles the target's sources in batches of
# neighbours, so that their headers are read once and what they share is instantiated once. A batch never crosses a
# folder: helpers in unnamed namespaces need names of their own within a folder only, and a new file moves no batch of
# another folder. Files listed as ALONE stay out.
function(gnomon_batch target)
  set(most 12)  # files in a batch
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" ALONE)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(path IN_LIST arg_ALONE)
      continue()
    endif()
    list(APPEND files_${folder} "${source}")
    list(LENGTH files_${folder} count)
    math(EXPR batch "(${count} - 1) / ${most}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
