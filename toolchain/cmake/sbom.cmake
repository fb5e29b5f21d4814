# The bill of materials, SPDX 2.3 as JSON, from the versions that this configuration found. The date is the
# release's, from CHANGELOG.md, whose newest entry has to be this version: the same tree gives the same bytes.
file(STRINGS "${PROJECT_SOURCE_DIR}/CHANGELOG.md" entries REGEX "^## ")
list(GET entries 0 entry)
if(NOT entry MATCHES "^## ([0-9]+[.][0-9]+[.][0-9]+) [(]([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9])[)]$" OR
   NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "CHANGELOG.md begins with '${entry}', not with '## ${PROJECT_VERSION} (YYYY-MM-DD)'")
endif()
set(LOCKSTEP_RELEASE_DATE "${CMAKE_MATCH_2}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/CHANGELOG.md")

set(sbom_packages "")
set(sbom_relations "")
# relation: how lockstep stands to it, or "BUILD_TOOL_OF" and the like: how it stands to lockstep
function(lockstep_sbom_add name version licence supplier address relation)
  string(REGEX REPLACE "[^A-Za-z0-9.]" "-" id "SPDXRef-${name}")
  string(APPEND sbom_packages ",\n    {\"SPDXID\": \"${id}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\", "
    "\"supplier\": \"${supplier}\", \"downloadLocation\": \"${address}\", \"filesAnalyzed\": false, "
    "\"licenseConcluded\": \"${licence}\", \"licenseDeclared\": \"${licence}\", "
    "\"copyrightText\": \"NOASSERTION\"}")
  if(relation MATCHES "_OF$")
    set(from "${id}")
    set(to "SPDXRef-lockstep")
  else()
    set(from "SPDXRef-lockstep")
    set(to "${id}")
  endif()
  string(APPEND sbom_relations ",\n    {\"spdxElementId\": \"${from}\", \"relationshipType\": \"${relation}\", "
    "\"relatedSpdxElement\": \"${to}\"}")
  set(sbom_packages "${sbom_packages}" PARENT_SCOPE)
  set(sbom_relations "${sbom_relations}" PARENT_SCOPE)
endfunction()

lockstep_sbom_add(Eigen "${LOCKSTEP_VERSION_OF_Eigen}" MPL-2.0 NOASSERTION https://eigen.tuxfamily.org DEPENDS_ON)
lockstep_sbom_add(ETL "${LOCKSTEP_VERSION_OF_ETL}" MIT NOASSERTION https://www.etlcpp.com CONTAINS)
lockstep_sbom_add(CLI11 "${LOCKSTEP_VERSION_OF_CLI11}" BSD-3-Clause NOASSERTION
  https://github.com/CLIUtils/CLI11 DEPENDS_ON)
lockstep_sbom_add(nlohmann_json "${LOCKSTEP_VERSION_OF_nlohmann_json}" MIT NOASSERTION
  https://github.com/nlohmann/json DEPENDS_ON)
lockstep_sbom_add(tinyxml2 "${LOCKSTEP_VERSION_OF_tinyxml2}" Zlib NOASSERTION
  https://github.com/leethomason/tinyxml2 DEPENDS_ON)
lockstep_sbom_add(console_bridge "${LOCKSTEP_VERSION_OF_console_bridge}" BSD-3-Clause NOASSERTION
  https://github.com/ros/console_bridge DEPENDS_ON)
lockstep_sbom_add(urdfdom "${LOCKSTEP_VERSION_OF_urdfdom}" BSD-3-Clause NOASSERTION
  https://github.com/ros/urdfdom DEPENDS_ON)
lockstep_sbom_add("${CMAKE_CXX_COMPILER_ID}" "${CMAKE_CXX_COMPILER_VERSION}" NOASSERTION NOASSERTION NOASSERTION
  BUILD_TOOL_OF)
lockstep_sbom_add(CMake "${CMAKE_VERSION}" BSD-3-Clause NOASSERTION https://cmake.org BUILD_TOOL_OF)
# what the page of --report holds, where a node bundles it
file(READ "${PROJECT_SOURCE_DIR}/hosttools/view/package.json" page_json)
foreach(name three uplot)
  string(JSON page_version GET "${page_json}" dependencies ${name})
  lockstep_sbom_add(${name} "${page_version}" MIT NOASSERTION NOASSERTION
    OPTIONAL_COMPONENT_OF)
endforeach()
string(JSON page_version GET "${page_json}" devDependencies esbuild)
lockstep_sbom_add(esbuild "${page_version}" MIT NOASSERTION https://esbuild.github.io BUILD_TOOL_OF)

string(SHA256 sbom_name "${PROJECT_VERSION}${sbom_packages}${sbom_relations}")
set(LOCKSTEP_SBOM "${PROJECT_BINARY_DIR}/lockstep.spdx.json")
file(CONFIGURE OUTPUT "${LOCKSTEP_SBOM}" @ONLY CONTENT [[{
  "spdxVersion": "SPDX-2.3",
  "SPDXID": "SPDXRef-DOCUMENT",
  "dataLicense": "CC0-1.0",
  "name": "lockstep-@PROJECT_VERSION@",
  "documentNamespace": "https://lockstep.invalid/spdx/lockstep-@PROJECT_VERSION@-@sbom_name@",
  "creationInfo": {
    "created": "@LOCKSTEP_RELEASE_DATE@T00:00:00Z",
    "creators": ["Tool: lockstep-sbom.cmake-@PROJECT_VERSION@"]
  },
  "packages": [
    {"SPDXID": "SPDXRef-lockstep", "name": "lockstep", "versionInfo": "@PROJECT_VERSION@", "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": false, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION"}@sbom_packages@
  ],
  "relationships": [
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-lockstep"}@sbom_relations@
  ]
}
]])
