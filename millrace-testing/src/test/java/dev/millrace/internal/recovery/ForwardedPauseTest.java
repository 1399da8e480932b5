package dev.millrace.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.settings.FaultSettings;
import dev.millrace.testing.TaskRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The pauses of a task whose grants and events cross on their way.
class ForwardedPauseTest {
    /// A runtime whose events the test sends.
    private static final class ScriptedRuntime implements Runtime {
        final List<Consumer<TaskEvent>> tasks = new ArrayList<>();
        int granted;

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public Resources capacity() {
            return Resources.cpus(1);
        }

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public boolean shipsPrograms() {
            return false;
        }

        @Override
        public void submit(TaskSpec task, Consumer<TaskEvent> events) {
            tasks.add(events);
        }

        @Override
        public void grant(long task, int blocks) {
            granted += blocks;
        }

        @Override
        public void cancel(long task) {}

        @Override
        public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
            return actor::id;
        }

        @Override
        public void stopActor(ActorRef actor) {}

        @Override
        public BlockRef put(Block block) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Block get(BlockSlice slice) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    @Test
    void aPauseThatCrossedAGrantDoesNotHideTheNextOne() {
        ScriptedRuntime below = new ScriptedRuntime();
        TaskRecorder recorder = new TaskRecorder();
        try (Allocator memory = Allocator.root("driver", 1 << 20);
                RecoveringRuntime runtime = new RecoveringRuntime(below, memory, FaultSettings.DEFAULT)) {
            runtime.submit(
                    new TaskSpec(1, "test", _ -> {}, null, List.of(), 1, Resources.NONE, memory, false), recorder);
            Consumer<TaskEvent> task = below.tasks.getFirst();
            runtime.grant(1, 1);
            task.accept(new TaskEvent.Paused(1));
            task.accept(new TaskEvent.Paused(1));
            assertThat(below.granted).isEqualTo(1);
            assertThat(recorder.of(1)).containsExactly(new TaskEvent.Paused(1), new TaskEvent.Paused(1));
            task.accept(new TaskEvent.Finished(1, TaskReport.EMPTY));
            recorder.awaitEnd(1);
        }
    }
}
