/// The formats of this module under their names, for `Session.read(format, ...)` and `Dataset.write(format, ...)`.
package dev.millrace.internal.fileformat;
