/// The search for a batch size: [dev.millrace.internal.tune.TuningSearch] decides, purely,
/// [dev.millrace.internal.tune.TuningTrial] measures.
/// Points go in, the next candidate or a decision with its reason comes out.
package dev.millrace.internal.tune;
