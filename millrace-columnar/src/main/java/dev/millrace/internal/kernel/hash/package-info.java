/// Hashes of rows: for partitions and hash tables. Columns in, 64 bits per row out.
package dev.millrace.internal.kernel.hash;
