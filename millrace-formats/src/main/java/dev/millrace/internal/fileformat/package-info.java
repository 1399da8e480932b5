/// Registers the formats of this module by name, for `Session.read(format, ...)` and `Dataset.write(format, ...)`.
@NullMarked
package dev.millrace.internal.fileformat;

import org.jspecify.annotations.NullMarked;
