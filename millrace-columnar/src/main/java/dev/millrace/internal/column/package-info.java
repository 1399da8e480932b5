/// Columns and values of Java.
@NullMarked
package dev.millrace.internal.column;

import org.jspecify.annotations.NullMarked;
