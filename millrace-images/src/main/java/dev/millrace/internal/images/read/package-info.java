/// Reads image files as rows: `ImageFiles` is the format of a file source, `ImageReader` reads one file. The codec
/// package decodes.
@NullMarked
package dev.millrace.internal.images.read;

import org.jspecify.annotations.NullMarked;
