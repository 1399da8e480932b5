/// Prepares columns for models: a [Preprocessor] is fitted to a dataset in one pass and returns a [Fitted] value, which
/// transforms datasets, lazily and by expressions, and single batches where a model is served.
@NullMarked
package dev.millrace.preprocess;

import org.jspecify.annotations.NullMarked;
