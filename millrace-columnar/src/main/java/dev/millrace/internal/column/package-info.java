/// Conversion between columns and Java values.
@NullMarked
package dev.millrace.internal.column;

import org.jspecify.annotations.NullMarked;
