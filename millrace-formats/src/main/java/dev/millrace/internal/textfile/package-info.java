/// Reads and writes files of lines, and loads the input of text formats.
package dev.millrace.internal.textfile;
