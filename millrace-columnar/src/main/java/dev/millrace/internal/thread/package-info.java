/// What belongs to the thread that does some work: whether it is still wanted, how deep its stack may go, and whose
/// stack its failure shows.
@NullMarked
package dev.millrace.internal.thread;

import org.jspecify.annotations.NullMarked;
