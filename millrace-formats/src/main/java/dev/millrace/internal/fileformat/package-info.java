/// Registers the formats of this module by name, for `Session.read(format, ...)` and `Dataset.write(format, ...)`.
package dev.millrace.internal.fileformat;
