/// Encoded images to pixels and back. Bytes of files enter, pixels in the caller's counted memory leave (rows of height
/// x width x channels, uint8); OpenCV decodes, and stays behind this package. What is wrong with an image is a
/// [BadImage], which the caller gives a name.
@NullMarked
package dev.millrace.internal.images.codec;

import org.jspecify.annotations.NullMarked;
