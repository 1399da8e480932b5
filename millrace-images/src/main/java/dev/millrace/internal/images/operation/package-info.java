/// Operations on columns of images: an `ImageFunction` is a chain of `ImageStep`s that runs row by row, so that
/// intermediate results are never materialised as columns. The input is encoded or decoded images; the output is
/// images, tensors of numbers, or encoded images.
@NullMarked
package dev.millrace.internal.images.operation;

import org.jspecify.annotations.NullMarked;
