/// Decompression: [dev.millrace.internal.compress.FileCompression] detects compressed files by their names and opens
/// them as feeds that decompress while they are read, in bounded memory. Independent of the content.
@NullMarked
package dev.millrace.internal.compress;

import org.jspecify.annotations.NullMarked;
