/// Row hashes for partitioning and hash tables. The input is columns, the output is 64 bits per row.
package dev.millrace.internal.kernel.hash;
