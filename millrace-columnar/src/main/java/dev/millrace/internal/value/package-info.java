/// Conversion between Java values and stored values.
@NullMarked
package dev.millrace.internal.value;

import org.jspecify.annotations.NullMarked;
