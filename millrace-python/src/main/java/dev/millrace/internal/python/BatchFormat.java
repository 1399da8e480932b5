package dev.millrace.internal.python;

/// How a Python function gets its rows.
public enum BatchFormat {
    /// A `pyarrow.RecordBatch`.
    ARROW,
    /// A dict of NumPy arrays.
    NUMPY,
    /// A dict of torch tensors.
    TORCH,
    /// One dict for each row.
    ROWS
}
