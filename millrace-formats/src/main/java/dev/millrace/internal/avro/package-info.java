/// Avro's object container files to columns and back, without Avro's library: [dev.millrace.internal.avro.AvroSchema]
/// says what a file holds, each [dev.millrace.internal.avro.ValueDecoder] moves one part of a record straight into a
/// column.
package dev.millrace.internal.avro;
