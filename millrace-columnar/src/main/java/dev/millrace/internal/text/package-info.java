/// What everything made of text shares: numbers, times, UTF-8, eight bytes at once.
@NullMarked
package dev.millrace.internal.text;

import org.jspecify.annotations.NullMarked;
