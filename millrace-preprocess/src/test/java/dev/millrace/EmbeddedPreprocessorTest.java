package dev.millrace;

import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;

class EmbeddedPreprocessorTest extends PreprocessorSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return new EmbeddedRuntime(DatasetSuite.CAPACITY);
    }
}
