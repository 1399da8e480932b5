/// NumPy's `.npy` and `.npz` files to columns and back: [dev.millrace.internal.numpy.NpyHeader] says what a file holds,
/// [dev.millrace.internal.numpy.NumpyType] what its elements are here.
package dev.millrace.internal.numpy;
