package dev.millrace.internal.parquet.read;

/// Rows of a file that are no longer there.
@FunctionalInterface
public interface DeletedRows {
    boolean isDeleted(long row);
}
