/// Python workers: a process, the frames exchanged with it, the memory shared with it, and the functions that an actor
/// calls. What the process runs is the package `millrace` of src/main/python.
@NullMarked
package dev.millrace.internal.python;

import org.jspecify.annotations.NullMarked;
