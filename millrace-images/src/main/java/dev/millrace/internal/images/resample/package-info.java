/// Pixel kernels: resizing, cropping, flipping, normalising. The input is pixels in memory, the output is pixels or
/// planes of numbers in the caller's memory. This package does not depend on columns, codecs or the engine.
@NullMarked
package dev.millrace.internal.images.resample;

import org.jspecify.annotations.NullMarked;
