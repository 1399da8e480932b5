package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import org.junit.jupiter.api.Test;

class LoopbackRuntimeTest extends RuntimeContract {
    @Override
    protected Runtime open(Allocator account) {
        return new LoopbackRuntime(account, Resources.cpus(2));
    }

    private LoopbackRuntime loopback() {
        return (LoopbackRuntime) runtime;
    }

    @Test
    void theWorkerTakesNoMemoryOfTheDriver() {
        long task = submit(1, context -> {
            context.emit(TaskBlocks.range(context.allocator(), 0, 100_000));
            throw new IllegalStateException(
                    "driver memory is elsewhere: " + context.allocator().name());
        });
        assertThat(failed(recorder.awaitEnd(task)).cause()).hasMessageContaining("test, task " + task);
        assertThat(driver.peakBytes()).isZero();
        assertThat(loopback().workerHeldBytes()).isZero();
        assertThat(loopback().storedBlocks()).isEqualTo(1);
        take(task);
        assertThat(loopback().storedBlocks()).isZero();
    }

    @Test
    void aReferenceThatIsNotReleasedIsNamedAtTheEnd() {
        BlockSlice forgotten = put(0, 3);
        assertThatThrownBy(runtime::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("3 rows of put()");
        forgotten.release();
    }

    @Test
    void aTaskThatKeepsMemoryIsNamedAtTheEnd() {
        long task = submit(1, context -> context.allocator().allocate(1000));
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
        assertThatThrownBy(runtime::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'test, task " + task + "' was closed while 1024 bytes are held");
    }
}
