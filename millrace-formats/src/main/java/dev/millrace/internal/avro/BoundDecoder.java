package dev.millrace.internal.avro;

/// Decodes one part of the records of a chunk: appends its values to a column, or passes over them. One thread.
abstract class BoundDecoder {
    /// Consumes the next value.
    abstract void read(AvroInput in);
}
