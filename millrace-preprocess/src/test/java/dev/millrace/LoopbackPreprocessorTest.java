package dev.millrace;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.LoopbackRuntime;

/// What was learned travels as bytes.
class LoopbackPreprocessorTest extends PreprocessorSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return new LoopbackRuntime(account, DatasetSuite.CAPACITY);
    }
}
