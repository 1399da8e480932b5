package dev.millrace.sink;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.LoopbackRuntime;

/// Sinks and fragments as bytes.
class LoopbackArrowSinkTest extends ArrowSinkTest {
    @Override
    protected Runtime newRuntime(Allocator account) {
        return new LoopbackRuntime(account, CAPACITY);
    }
}
