/// The way of costs from libraries to the meter of a call, which know nothing of each other.
package dev.millrace.internal.cost;
