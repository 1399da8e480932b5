/// The formats of this module under their names, for `Session.read(format, ...)` and `Dataset.write(format, ...)`.
@NullMarked
package dev.millrace.internal.formats;

import org.jspecify.annotations.NullMarked;
