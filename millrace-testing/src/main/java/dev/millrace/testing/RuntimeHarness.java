package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// Opens a runtime for each test and closes it afterwards, with everything released. Programs share nothing with the
/// test but blocks and files, so that the suite also runs when they are shipped to another process.
@Timeout(60)
abstract class RuntimeHarness {
    protected Allocator driver;
    protected Runtime runtime;
    protected final TaskRecorder recorder = new TaskRecorder();
    private long ids;

    /// The runtime under test, created for each test.
    ///
    /// @param account of the driver: from which [Runtime#get] allocates blocks on runtimes that copy
    protected abstract Runtime open(Allocator account);

    @BeforeEach
    void open() {
        driver = Allocator.root("driver", 1L << 30);
        runtime = open(driver);
    }

    @AfterEach
    void everythingIsReleasedAndNothingFollowsAFinalEvent() {
        runtime.close();
        driver.close();
        assertThat(recorder.violations()).isEmpty();
    }

    /// Starts a task over these inputs.
    ///
    /// @return the task id
    protected long submit(int credit, List<BlockSlice> inputs, TaskProgram program) {
        long id = ++ids;
        runtime.submit(
                new TaskSpec(id, "test", program, null, inputs, credit, Resources.cpus(1), driver, false), recorder);
        return id;
    }

    /// Starts a task on the first node.
    ///
    /// @param behind the task there after whose end it begins; 0: at once
    protected long submitBehind(long behind, int credit, TaskProgram program) {
        long id = ++ids;
        runtime.submit(
                new TaskSpec(
                        id,
                        id,
                        "test",
                        program,
                        null,
                        List.of(),
                        credit,
                        Resources.cpus(1),
                        driver,
                        false,
                        runtime.nodes().getFirst().name(),
                        TaskSpec.Stage.NONE,
                        behind),
                recorder);
        return id;
    }

    /// Starts a task without inputs.
    ///
    /// @return the task id
    protected long submit(int credit, TaskProgram program) {
        return submit(credit, List.of(), program);
    }

    /// A program that emits the blocks [0], [1], ...
    protected static TaskProgram counting(int blocks) {
        return context -> {
            for (int i = 0; i < blocks; i++) {
                context.emit(TaskBlocks.of(context.allocator(), i));
            }
        };
    }

    /// The values of all blocks that a task has sent; releases them.
    protected List<Long> take(long task) {
        List<Long> values = new ArrayList<>();
        recorder.blocks(task).forEach(ready -> values.addAll(TaskBlocks.take(runtime, ready.block())));
        return values;
    }

    /// Puts a block of consecutive numbers into the runtime's store.
    protected BlockSlice put(long from, int rows) {
        return BlockSlice.whole(runtime.put(TaskBlocks.range(driver, from, rows)));
    }

    /// The event as a failure; fails the test for any other event.
    protected static TaskEvent.Failed failed(TaskEvent event) {
        assertThat(event).isInstanceOf(TaskEvent.Failed.class);
        return (TaskEvent.Failed) event;
    }
}
