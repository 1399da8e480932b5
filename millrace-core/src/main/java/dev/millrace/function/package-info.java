/// The functions a user writes. All are serialisable, so that a runtime may ship them; embedded they simply run.
@NullMarked
package dev.millrace.function;

import org.jspecify.annotations.NullMarked;
