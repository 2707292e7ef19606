# Text files as string constants.
#
#   gnomon_embed(<target> <file>...)   adds to <target>, for each file, `const std::string_view
#                                      gnomon::assets::<name>`; <name> is the file's name with '.' and '-' as '_'.
#
# The constants are generated at build time, whenever a file changes, and compiled by themselves: a target that generates a
# source waits for all that it links to. Run as a script (cmake -P) this file does the generating.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" text)
  file(WRITE "${OUTPUT}" "#include <string_view>

namespace gnomon::assets {
constexpr char ${NAME}_text[] = R\"embedded(${text})embedded\";
extern const std::string_view ${NAME};
const std::string_view ${NAME}{${NAME}_text, sizeof ${NAME}_text - 1};
}  // namespace gnomon::assets
")
  return()
endif()

set(GNOMON_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(gnomon_embed target)
  add_library(${target}_assets OBJECT)
  set_target_properties(${target}_assets PROPERTIES UNITY_BUILD OFF)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_assets>)
  foreach(file IN LISTS ARGN)
    get_filename_component(input "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    string(REGEX REPLACE "[.-]" "_" name "${name}")
    set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp")
    add_custom_command(OUTPUT "${output}"
                       COMMAND ${CMAKE_COMMAND} "-DINPUT=${input}" "-DOUTPUT=${output}" "-DNAME=${name}"
                               -P "${GNOMON_EMBED_SCRIPT}"
                       DEPENDS "${input}" "${GNOMON_EMBED_SCRIPT}" COMMENT "Embedding ${name}" VERBATIM)
    target_sources(${target}_assets PRIVATE "${output}")
    # Longer than the standard asks of a compiler; neither GCC nor clang minds.
    set_source_files_properties("${output}" PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  endforeach()
endfunction()
