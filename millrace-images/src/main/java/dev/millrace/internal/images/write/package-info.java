/// Writes columns of images to files: `ImageOutput` is the format of a file sink. The codec package encodes.
@NullMarked
package dev.millrace.internal.images.write;

import org.jspecify.annotations.NullMarked;
