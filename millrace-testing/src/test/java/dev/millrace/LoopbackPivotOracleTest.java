package dev.millrace;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.LoopbackRuntime;

/// The same on a runtime that sends programs and blocks through bytes.
class LoopbackPivotOracleTest extends PivotOracleTest {
    @Override
    int cases() {
        return super.cases() / 4;
    }

    @Override
    Runtime runtime(Allocator account) {
        return new LoopbackRuntime(account, DatasetSuite.CAPACITY);
    }
}
