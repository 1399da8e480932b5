/// Kernels that move, choose and convert values of columns. Columns enter by view; columns leave with one reference to
/// each of their buffers, which the caller owns. Memory comes from the allocator that is handed in; a kernel that fails
/// leaves nothing behind. Nothing here knows blocks, plans or tasks.
package dev.millrace.internal.kernel;
