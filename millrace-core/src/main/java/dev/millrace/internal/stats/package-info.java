/// Measured values as text for people: the input is [dev.millrace.stats.RunStats], the output are rounded lines.
/// Stateless; no engine, no terminal.
@NullMarked
package dev.millrace.internal.stats;

import org.jspecify.annotations.NullMarked;
