/// Byte input and output for decoders of binary formats: fields in place, long values directly into columns, errors
/// that name file and position; and files read as bytes. Independent of particular formats.
package dev.millrace.internal.binary;
