/// Loops over pixels: resizing, cropping, flipping, normalising. Pixels in memory enter, pixels or planes of numbers in
/// memory of the caller's leave. Nothing here knows columns, codecs or the engine.
@NullMarked
package dev.millrace.internal.images.resample;

import org.jspecify.annotations.NullMarked;
