package dev.millrace;

import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;

class EmbeddedDatasetTest extends DatasetSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return new EmbeddedRuntime(CAPACITY);
    }
}
