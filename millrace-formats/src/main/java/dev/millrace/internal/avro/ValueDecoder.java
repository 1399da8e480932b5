package dev.millrace.internal.avro;

import dev.millrace.column.ColumnBuilder;

/// Moves the values of one part of a record from the file into a column. One thread.
abstract class ValueDecoder {
    /// Fewest bytes of a value.
    final int least;

    ValueDecoder(int least) {
        this.least = least;
    }

    /// Values go here from now on.
    abstract void into(ColumnBuilder builder);

    /// Appends the next value.
    abstract void read(AvroInput in);

    /// Passes the next value.
    abstract void skip(AvroInput in);
}
