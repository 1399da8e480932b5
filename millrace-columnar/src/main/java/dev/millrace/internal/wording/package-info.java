/// Pieces of sentences that several rooms need. Knows nothing of any of them.
package dev.millrace.internal.wording;
