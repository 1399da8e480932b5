/// Backpressure policies: reasons to hold an operator back, one small class each. They read operators and change
/// nothing.
@NullMarked
package dev.millrace.internal.backpressure;

import org.jspecify.annotations.NullMarked;
