/// Reads and writes NumPy's `.npy` and `.npz` files: [dev.millrace.internal.numpy.NpyHeader] describes the array in a
/// file, [dev.millrace.internal.numpy.NumpyType] maps element types.
@NullMarked
package dev.millrace.internal.numpy;

import org.jspecify.annotations.NullMarked;
