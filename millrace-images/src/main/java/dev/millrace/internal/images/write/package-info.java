/// Columns of images to files: `ImageOutput` is the format under a file sink. Encoding is the codec's.
@NullMarked
package dev.millrace.internal.images.write;

import org.jspecify.annotations.NullMarked;
