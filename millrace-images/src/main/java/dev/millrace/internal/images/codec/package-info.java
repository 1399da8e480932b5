/// Image codecs. Decoding turns the bytes of files into pixels in the caller's accounted memory (rows of height x width
/// x channels, uint8); encoding does the reverse. OpenCV is used only inside this package. An image that cannot be
/// processed is a [BadImage], to which the caller adds the name of the file.
@NullMarked
package dev.millrace.internal.images.codec;

import org.jspecify.annotations.NullMarked;
