/// The way of costs from libraries to the meter of a call, which know nothing of each other.
@NullMarked
package dev.millrace.internal.cost;

import org.jspecify.annotations.NullMarked;
