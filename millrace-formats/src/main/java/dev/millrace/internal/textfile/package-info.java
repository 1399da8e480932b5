/// Reads and writes files of lines, and loads the input of text formats.
@NullMarked
package dev.millrace.internal.textfile;

import org.jspecify.annotations.NullMarked;
