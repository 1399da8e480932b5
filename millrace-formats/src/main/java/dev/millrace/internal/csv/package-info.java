/// CSV and its kin: bytes of a file enter, blocks leave, and the other way. A [dev.millrace.internal.csv.InputWindow]
/// of bytes is indexed by [dev.millrace.internal.csv.RecordScanner] and then parsed one column at a time. See
/// `designs/text-formats.md`.
package dev.millrace.internal.csv;
