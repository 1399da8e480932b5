/// What a row knows of its neighbours: a [Window] says which rows belong together and in what order, [WindowFunctions]
/// makes what `dataset.window(...)` computes of them, a [Frame] says of which rows. Only descriptions; what computes
/// them is in `internal.kernel.window`.
@NullMarked
package dev.millrace.window;

import org.jspecify.annotations.NullMarked;
