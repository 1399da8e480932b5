/// The inputs and outputs of a model, as its file declares them.
@NullMarked
package dev.millrace.models.tensor;

import org.jspecify.annotations.NullMarked;
