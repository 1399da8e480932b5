/// Image files to rows: `ImageFiles` is the format under a file source, `ImageReader` reads one file. Decoding is the
/// codec's.
@NullMarked
package dev.millrace.internal.images.read;

import org.jspecify.annotations.NullMarked;
