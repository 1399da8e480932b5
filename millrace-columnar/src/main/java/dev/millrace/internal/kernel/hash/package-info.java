/// Row hashes for partitioning and hash tables. The input is columns, the output is 64 bits per row.
@NullMarked
package dev.millrace.internal.kernel.hash;

import org.jspecify.annotations.NullMarked;
