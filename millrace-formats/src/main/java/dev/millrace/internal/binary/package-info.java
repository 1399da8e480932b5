/// Bytes of files for the decoders of binary formats: fields in place, long values straight into columns, errors that
/// name file and place; and files read as bytes. Nothing here knows a particular format.
package dev.millrace.internal.binary;
