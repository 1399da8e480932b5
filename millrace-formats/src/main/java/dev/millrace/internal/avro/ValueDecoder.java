package dev.millrace.internal.avro;

import dev.millrace.column.ColumnBuilder;

/// Decodes one part of a record into a column. One thread.
abstract class ValueDecoder {
    /// The minimum number of bytes of a value.
    final int least;

    ValueDecoder(int least) {
        this.least = least;
    }

    /// Sets the builder to which values are appended from now on.
    abstract void into(ColumnBuilder builder);

    /// Appends the next value.
    abstract void read(AvroInput in);

    /// Skips the next value.
    abstract void skip(AvroInput in);
}
