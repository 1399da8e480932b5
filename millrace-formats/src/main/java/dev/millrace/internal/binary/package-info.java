/// Byte input and output for decoders of binary formats: fields in place, long values directly into columns, errors
/// that name file and position; and files read as bytes. Independent of particular formats.
@NullMarked
package dev.millrace.internal.binary;

import org.jspecify.annotations.NullMarked;
