/// Reasons to hold an operator back, one small class each. They look at operators and change nothing.
package dev.millrace.internal.backpressure;
