/// The log of a session: an observer of its runs that writes what happens, in order, on a thread of its own. What
/// enters are runs and their figures, what leaves are lines of a file or messages of a logger. Nothing here decides
/// anything, and no run waits for it.
@NullMarked
package dev.millrace.internal.sessionlog;

import org.jspecify.annotations.NullMarked;
