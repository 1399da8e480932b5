/// The search for the batch size and number of actors with which a model is fastest: `TuningSearch` decides as a pure
/// function from the measured points to the next candidate or to a decision with its reason, `TuningTrial` measures.
@NullMarked
package dev.millrace.models.tuning;

import org.jspecify.annotations.NullMarked;
