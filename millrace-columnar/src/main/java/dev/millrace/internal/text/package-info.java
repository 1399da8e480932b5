/// Shared parsing and formatting of text: numbers, times, UTF-8, eight bytes at a time.
@NullMarked
package dev.millrace.internal.text;

import org.jspecify.annotations.NullMarked;
