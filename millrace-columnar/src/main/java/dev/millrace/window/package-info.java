/// Window functions: a [Window] defines partitions and their order, [WindowFunctions] creates the functions that
/// `dataset.window(...)` computes, a [Frame] defines which rows they read. The implementation is in
/// `internal.kernel.window`.
@NullMarked
package dev.millrace.window;

import org.jspecify.annotations.NullMarked;
