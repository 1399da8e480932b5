/// The search for the batch size and number of actors with which a model is fastest: `TuningSearch` decides, purely,
/// `TuningTrial` measures. Points go in, the next candidate or a decision with its reason comes out.
@NullMarked
package dev.millrace.models.tuning;

import org.jspecify.annotations.NullMarked;
