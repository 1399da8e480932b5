package dev.millrace.internal.parquet.read;

/// Deleted rows of a file.
@FunctionalInterface
public interface DeletedRows {
    boolean isDeleted(long row);
}
