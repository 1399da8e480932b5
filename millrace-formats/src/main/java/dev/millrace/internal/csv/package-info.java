/// Reads and writes CSV and similar formats. An [dev.millrace.internal.csv.InputWindow] of bytes is indexed by
/// [dev.millrace.internal.csv.RecordScanner] and then parsed one column at a time. See `designs/text-formats.md`.
@NullMarked
package dev.millrace.internal.csv;

import org.jspecify.annotations.NullMarked;
