/// Deserialisation: every object stream of this library is a [dev.millrace.internal.serial.FilteredInput], which
/// restricts the allowed classes by a [dev.millrace.internal.serial.SerialRule]. Independent of what is read.
@NullMarked
package dev.millrace.internal.serial;

import org.jspecify.annotations.NullMarked;
