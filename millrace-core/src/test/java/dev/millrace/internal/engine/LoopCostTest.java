package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.plan.physical.PhysicalPlan;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a task costs the loop: 20 operators, tiny blocks. `-Dmillrace.loopCost.blocks=10000` asks for the full size.
class LoopCostTest {
    private static final int OPERATORS = 20;

    @Test
    void aTaskCostsTheLoopFarLessThanFiftyMicroseconds() {
        int blocks = Integer.getInteger("millrace.loopCost.blocks", 2000);
        measure(blocks / 4);
        double micros = measure(blocks);
        System.out.printf("loop cost: %.2f us per task (%d operators, %d blocks)%n", micros, OPERATORS, blocks);

        assertThat(micros).isLessThan(50);
    }

    /// Not the time that other work on the machine takes from this thread.
    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double measure(int blocks) {
        Harness run = Harness.withCpus(16);
        run.runtime.keepsSubmitted = false;
        PhysicalPlan plan = run.programs.read(blocks, 1, 1);
        for (int i = 1; i < OPERATORS; i++) {
            plan = run.programs.copy("map" + i, plan);
        }
        run.open(plan).ask();
        long inLoop = 0;
        boolean ended = false;
        while (!ended) {
            for (FakeRuntime.Task task : List.copyOf(run.runtime.tasks.values())) {
                task.run();
            }
            long before = cpuTime();
            run.settle();
            inLoop += cpuTime() - before;
            while (run.outlets.getFirst().isReady() && !ended) {
                var slice = run.outlets.getFirst().take();
                if (slice == null) {
                    ended = true;
                } else {
                    slice.release();
                    before = cpuTime();
                    run.settle();
                    inLoop += cpuTime() - before;
                }
            }
        }
        run.close();
        return inLoop / 1000.0 / blocks / OPERATORS;
    }
}
