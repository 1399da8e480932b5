/// Java serialisation read back: every object stream of this library is a
/// [dev.millrace.internal.serial.FilteredInput], which says by a [dev.millrace.internal.serial.SerialRule] what may
/// come. Knows nothing of what is read.
@NullMarked
package dev.millrace.internal.serial;

import org.jspecify.annotations.NullMarked;
