// urdfdom's model.cpp where there are no files to stream from: parseURDFFile, which would, is not
// called. Everything that it includes has come by then.
#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#define ifstream istringstream
#include <src/model.cpp>
