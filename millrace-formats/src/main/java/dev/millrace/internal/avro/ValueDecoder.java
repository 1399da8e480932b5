package dev.millrace.internal.avro;

import dev.millrace.column.ColumnBuilder;

/// Decodes one part of a record. One thread.
abstract class ValueDecoder {
    /// The minimum number of bytes of a value.
    final int least;

    ValueDecoder(int least) {
        this.least = least;
    }

    /// Appends values to this column.
    abstract BoundDecoder into(ColumnBuilder column);

    /// Skips the next value.
    abstract void skip(AvroInput in);

    /// Skips all values.
    final BoundDecoder skipping() {
        return new BoundDecoder() {
            @Override
            void read(AvroInput in) {
                skip(in);
            }
        };
    }
}
