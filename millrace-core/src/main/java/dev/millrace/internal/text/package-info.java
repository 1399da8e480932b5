/// Text files to columns and back, and what all formats made of text share: numbers, UTF-8.
package dev.millrace.internal.text;
