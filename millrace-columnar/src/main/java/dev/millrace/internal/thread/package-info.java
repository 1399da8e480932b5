/// Properties of the thread that does some work: whether it is cancelled, how deep its stack may be, and which stack
/// trace its failure shows.
@NullMarked
package dev.millrace.internal.thread;

import org.jspecify.annotations.NullMarked;
