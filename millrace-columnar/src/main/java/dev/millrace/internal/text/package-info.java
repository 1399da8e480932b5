/// What everything made of text shares: numbers, times, UTF-8, eight bytes at once.
package dev.millrace.internal.text;
