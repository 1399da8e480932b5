/// The sources that need no format: ranges, values and iterators of the program, Arrow data; and how paths are found.
/// They know columns and blocks; nothing here knows plans, engine or runtimes.
@NullMarked
package dev.millrace.internal.source;

import org.jspecify.annotations.NullMarked;
