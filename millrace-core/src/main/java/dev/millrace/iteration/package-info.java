/// How a consumer reads a dataset: iterators that hold resources until they are closed, the options of a batch
/// iteration, and tensors. Values and contracts only; a dataset hands them out.
@NullMarked
package dev.millrace.iteration;

import org.jspecify.annotations.NullMarked;
