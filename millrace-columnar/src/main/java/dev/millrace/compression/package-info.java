/// Compression methods, by name.
@NullMarked
package dev.millrace.compression;

import org.jspecify.annotations.NullMarked;
