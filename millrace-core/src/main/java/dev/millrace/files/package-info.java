/// Sources and sinks of files, over any format: what `Session.readCsv` and its siblings are made of.
package dev.millrace.files;
