/// Typed, read-only columns over off-heap memory in Arrow's layout, and the builders that make them. A column is a
/// view: whoever holds a block, a batch or a scope holds the references to the buffers below. Nothing here knows
/// datasets, plans or tasks.
package dev.millrace.column;
