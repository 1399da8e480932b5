/// Images as columns of pixels: what a user asks for. Encoded bytes or image columns enter, image or tensor columns
/// leave.
@NullMarked
package dev.millrace.images;

import org.jspecify.annotations.NullMarked;
