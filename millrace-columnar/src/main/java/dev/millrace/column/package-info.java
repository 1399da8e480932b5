/// Typed, read-only columns over off-heap memory in Arrow's layout, and their builders. A column is a view: the holder
/// of a block, a batch or a scope holds the references to the buffers. Nothing here depends on datasets, plans or
/// tasks.
@NullMarked
package dev.millrace.column;

import org.jspecify.annotations.NullMarked;
