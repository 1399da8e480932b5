/// Python workers: a process, the frames exchanged with it, the memory shared with it, and the functions that an actor
/// calls. What the process runs is `worker.py` beside these classes.
@NullMarked
package dev.millrace.internal.python;

import org.jspecify.annotations.NullMarked;
