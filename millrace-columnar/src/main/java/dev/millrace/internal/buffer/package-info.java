/// Counted memory under construction: every builder, encoder and decoder that does not know its size in advance writes
/// into a [GrowingBuffer]; a [ResourceScope] owns opened resources until ownership is passed on; a [FailureChain] makes
/// one failure of several. Depends on `dev.millrace.memory` and nothing else.
@NullMarked
package dev.millrace.internal.buffer;

import org.jspecify.annotations.NullMarked;
