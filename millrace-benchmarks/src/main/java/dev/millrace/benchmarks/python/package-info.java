/// What a Python worker costs: batches to a function that does nothing, and back.
@NullMarked
package dev.millrace.benchmarks.python;

import org.jspecify.annotations.NullMarked;
