/// Sources and sinks of files, over any format: what `Session.readCsv` and its siblings are made of.
@NullMarked
package dev.millrace.files;

import org.jspecify.annotations.NullMarked;
