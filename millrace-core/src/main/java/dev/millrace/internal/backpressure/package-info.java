/// Backpressure policies: reasons to hold an operator back, one small class each. They read operators and change
/// nothing.
package dev.millrace.internal.backpressure;
