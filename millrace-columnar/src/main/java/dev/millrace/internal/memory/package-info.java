/// Counted memory for the library's own loops: arrays on the Java heap that an account pays for.
@NullMarked
package dev.millrace.internal.memory;

import org.jspecify.annotations.NullMarked;
