/// Pieces of sentences that several rooms need. Knows nothing of any of them.
@NullMarked
package dev.millrace.internal.wording;

import org.jspecify.annotations.NullMarked;
