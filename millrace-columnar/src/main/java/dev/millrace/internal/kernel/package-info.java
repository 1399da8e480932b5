/// Kernels that move, select and convert values of columns. Input columns are views; output columns have one reference
/// to each of their buffers, which the caller owns. Memory comes from the allocator argument; a kernel that fails leaks
/// nothing. Nothing here depends on blocks, plans or tasks.
@NullMarked
package dev.millrace.internal.kernel;

import org.jspecify.annotations.NullMarked;
