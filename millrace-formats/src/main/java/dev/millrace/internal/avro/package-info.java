/// Reads and writes Avro object container files without Avro's library: [dev.millrace.internal.avro.AvroSchema] parses
/// the schema of a file, each [dev.millrace.internal.avro.ValueDecoder] decodes one part of a record directly into a
/// column.
@NullMarked
package dev.millrace.internal.avro;

import org.jspecify.annotations.NullMarked;
