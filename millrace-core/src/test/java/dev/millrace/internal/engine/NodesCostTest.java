package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.runtime.Runtime;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What a task costs the loop on many nodes with very many tasks under way, and how many of them run where their input
/// is. `-Dmillrace.nodesCost.blocks=40000` asks for the full size: 100 nodes with 10,000 tasks under way.
class NodesCostTest {
    private static final int OPERATORS = 3;
    private static final int BYTES_PER_BLOCK = 64 << 20;

    @Test
    void aTaskCostsTheLoopFarLessThanFiftyMicrosecondsOnAHundredNodes() {
        int blocks = Integer.getInteger("millrace.nodesCost.blocks", 2000);
        int nodes = Integer.getInteger("millrace.nodesCost.nodes", 100);
        int cpus = Math.max(1, blocks / 4 / nodes);
        new Measured(blocks / 4, nodes, cpus).run();
        Measured measured = new Measured(blocks, nodes, cpus);
        double micros = measured.run();
        System.out.printf(
                "loop cost: %.2f us per task (%d nodes, %d tasks under way, %d operators, %d blocks), %.1f %% of tasks"
                        + " where their input is%n",
                micros, nodes, measured.mostAtOnce, OPERATORS, blocks, 100.0 * measured.near / measured.tasks);

        assertThat(micros).isLessThan(50);
        assertThat(measured.mostAtOnce).isGreaterThanOrEqualTo(nodes * cpus);
        assertThat(measured.near).isGreaterThan(measured.tasks * 9 / 10);
    }

    private static final class Measured {
        private final FakeRuntime runtime = new FakeRuntime();
        private final AtomicLong clock = new AtomicLong(1);
        private final int blocks;
        private final Harness run;
        private int mostAtOnce;
        private long near;
        private long tasks;
        private long inLoop;

        Measured(int blocks, int nodes, int cpus) {
            this.blocks = blocks;
            runtime.keepsSubmitted = false;
            runtime.checksNodes = false;
            runtime.bytes = _ -> BYTES_PER_BLOCK;
            for (int i = 0; i < nodes; i++) {
                runtime.join(new Runtime.Node("node" + i, Resources.cpus(cpus), 0));
            }
            FairCapacity capacity = FairCapacity.of(runtime, UnaryOperator.identity());
            run = new Harness(new FakePrograms(), capacity, runtime, clock, new AtomicLong());
        }

        /// Not the time that other work on the machine takes from this thread.
        private static long cpuTime() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        private void settle() {
            long before = cpuTime();
            run.settle();
            inLoop += cpuTime() - before;
        }

        double run() {
            PhysicalPlan plan = run.programs.read(blocks, 1, 1);
            for (int i = 1; i < OPERATORS; i++) {
                plan = run.programs.copy("map" + i, plan);
            }
            run.open(plan).ask();
            boolean ended = false;
            while (!ended) {
                clock.addAndGet(1_000_000);
                List<FakeRuntime.Task> there = new ArrayList<>(runtime.tasks.values());
                mostAtOnce = Math.max(mostAtOnce, there.size());
                there.forEach(this::count);
                // A few end at a time, as in life.
                for (int i = 0; i < there.size(); i++) {
                    there.get(i).run();
                    if (i % 16 == 15) {
                        settle();
                    }
                }
                settle();
                while (run.outlets.getFirst().isReady() && !ended) {
                    var slice = run.outlets.getFirst().take();
                    if (slice == null) {
                        ended = true;
                    } else {
                        slice.release();
                    }
                }
                settle();
            }
            run.close();
            return inLoop / 1000.0 / blocks / OPERATORS;
        }

        private void count(FakeRuntime.Task task) {
            if (!task.spec.inputs().isEmpty() && task.isNew()) {
                tasks++;
                String node = task.spec.inputs().getFirst().block().node();
                near += task.spec.node().equals(node) ? 1 : 0;
            }
        }
    }
}
