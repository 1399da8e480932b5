/// What a model takes and gives, as its file declares it.
@NullMarked
package dev.millrace.models.tensor;

import org.jspecify.annotations.NullMarked;
