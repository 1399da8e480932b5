package dev.millrace;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.LoopbackRuntime;

/// The suite on a runtime that sends programs and blocks through bytes.
class LoopbackDatasetTest extends DatasetSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return new LoopbackRuntime(account, CAPACITY);
    }
}
