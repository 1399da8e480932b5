/// The order of rows: sorting columns, and comparing rows of different blocks. The input is columns, the output is row
/// numbers or key bytes.
@NullMarked
package dev.millrace.internal.kernel.sort;

import org.jspecify.annotations.NullMarked;
