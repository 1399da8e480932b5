package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Resources;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.runtime.Runtime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerSupplyTest {
    private static final Resources ONE_CPU = Resources.cpus(1);

    /// Says what it is told to, and starts nothing.
    private static final class Told implements WorkerStarter {
        private final Optional<String> answer;
        private final List<Resources> asked = new ArrayList<>();

        Told(Optional<String> answer) {
            this.answer = answer;
        }

        @Override
        public void start(String token, Listener listener) {}

        @Override
        public Optional<String> obtain(Resources need) {
            asked.add(need);
            return answer;
        }

        @Override
        public void close() {}
    }

    private final Told starter = new Told(Optional.of("there is none"));
    private final WorkerSupply supply = new WorkerSupply(starter, () -> nodes(1, 1));

    private static List<Runtime.Node> nodes(int count, double cpus) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Runtime.Node("node-" + i, Resources.cpus(cpus), 0))
                .toList();
    }

    private List<Integer> looks(int count, List<Resources> waiting, List<Runtime.Node> joined) {
        return IntStream.range(0, count)
                .mapToObj(_ -> supply.wanted(waiting, joined).size())
                .toList();
    }

    @Test
    void whatWaitsForSomeLooksIsAskedForAndDoublesUpToWhatTheSessionRuns() {
        // The first look learns how many nodes there are.
        assertThat(looks(15, List.of(ONE_CPU), nodes(3, 2)))
                .containsExactly(0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4, 6, 6, 6);
        assertThat(supply.wanted(List.of(ONE_CPU), nodes(3, 2))).containsOnly(ONE_CPU);
    }

    @Test
    void nothingIsAskedForWhenNothingWaitsOrANodeHasJustJoined() {
        assertThat(looks(4, List.of(ONE_CPU), nodes(2, 1))).endsWith(1);
        assertThat(looks(1, List.of(), nodes(2, 1))).containsExactly(0);
        assertThat(looks(3, List.of(ONE_CPU), nodes(2, 1))).containsExactly(0, 0, 1);
        assertThat(looks(4, List.of(ONE_CPU), nodes(3, 1))).containsExactly(0, 0, 0, 1);
    }

    @Test
    void oneIsAskedForWhereNoNodeHasRoomForAny() {
        assertThat(looks(30, List.of(Resources.cpus(8)), nodes(3, 2))).endsWith(1);
    }

    @Test
    void aNeedThatNoMachineMeetsIsToldAndOneThatAWorkerMeetsReturnsAtOnce() {
        assertThat(supply.obtain(Resources.cpus(4))).contains("there is none");
        assertThat(starter.asked).containsExactly(Resources.cpus(4));
        assertThat(new WorkerSupply(new Told(Optional.empty()), () -> nodes(1, 4)).obtain(Resources.cpus(4)))
                .isEmpty();
    }
}
