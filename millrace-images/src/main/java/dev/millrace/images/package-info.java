/// The public API for images as columns of pixels. The input is encoded bytes or image columns, the output is image or
/// tensor columns.
@NullMarked
package dev.millrace.images;

import org.jspecify.annotations.NullMarked;
