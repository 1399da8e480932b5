/// Tokenisers for language models. The input is text as UTF-8, the output is token ids; this package does not depend on
/// batches or models.
@NullMarked
package dev.millrace.internal.models.text;

import org.jspecify.annotations.NullMarked;
