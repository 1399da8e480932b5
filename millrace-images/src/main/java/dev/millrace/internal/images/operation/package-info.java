/// Operations on columns of images: an `ImageFunction` is a chain of `ImageStep`s that runs row by row, so that what
/// lies between two steps is never a column. Encoded or decoded images enter; images, tensors of numbers, or encoded
/// images leave.
@NullMarked
package dev.millrace.internal.images.operation;

import org.jspecify.annotations.NullMarked;
