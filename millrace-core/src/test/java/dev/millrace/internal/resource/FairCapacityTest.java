package dev.millrace.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairCapacityTest {
    private static final Resources ONE = Resources.cpus(1);

    private final FairCapacity capacity = new FairCapacity(Resources.cpus(4));
    private int wokenA;
    private int wokenB;
    private final CapacityShare.Member a = capacity.join("a", () -> wokenA++);

    @Test
    void aRunAloneMayTakeAll() {
        assertThat(takes(a)).isEqualTo(4);
        assertThat(capacity.used()).isEqualTo(Resources.cpus(4));
    }

    @Test
    void aRunThatWaitsIsWokenAndGetsItsShareFirst() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(take(b, ONE)).isFalse();

        a.giveBack(ONE, capacity.nodes().getFirst());

        assertThat(wokenB).isEqualTo(1);
        assertThat(take(a, ONE)).as("b waits for its share").isFalse();
        assertThat(take(b, ONE)).isTrue();
        a.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(take(b, ONE)).isTrue();
        a.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(take(a, ONE)).as("within its own share").isTrue();
    }

    @Test
    void aRunThatNoLongerWaitsHoldsNobodyBack() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(take(b, ONE)).isFalse();
        a.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(take(a, ONE)).isFalse();

        b.settled();

        assertThat(wokenA).isEqualTo(1);
        assertThat(take(a, ONE)).isTrue();
    }

    @Test
    void aRunTakesNoMoreThanItsOwnLimitAndIsOwedNoMore() {
        CapacityShare.Member limited = capacity.join("limited", _ -> ONE, () -> wokenB++);
        assertThat(takes(limited)).isEqualTo(1);
        assertThat(takes(a)).as("beyond its half: the other may not take it").isEqualTo(3);
        a.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(wokenB).as("what it waits for is not free for it").isZero();
        limited.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(takes(limited)).isEqualTo(1);
    }

    @Test
    void theFairPartCountsRunsThatWantSomething() {
        CapacityShare.Member b = capacity.join("b", () -> {});
        assertThat(a.part()).isEqualTo(1);
        take(b, ONE);
        assertThat(a.part()).isEqualTo(0.5);
        assertThat(a.fairShare()).isEqualTo(Resources.cpus(2));
    }

    @Test
    void aRunThatEndsWithSomethingInHandIsABug() {
        take(a, ONE);

        assertThatThrownBy(a::close).hasMessageContaining("'a'").hasMessageContaining("1 CPU");
        assertThat(capacity.used().cpus()).isZero();
    }

    @Test
    void whoHasNoneOfItIsHeldBackByNobody() {
        FairCapacity one = new FairCapacity(new Resources(1, 2, 0, Map.of()));
        CapacityShare.Member idle = one.join("idle", () -> {});
        CapacityShare.Member reader = one.join("reader", () -> {});
        Resources gpu = new Resources(0, 1, 0, Map.of());
        assertThat(take(idle, gpu)).isTrue();
        assertThat(take(reader, gpu)).isTrue();
        assertThat(take(idle, ONE)).isTrue();
        assertThat(take(reader, ONE)).isFalse();
        idle.giveBack(ONE, one.nodes().getFirst());

        assertThat(take(idle, ONE)).as("GPUs say nothing of who has a CPU").isTrue();
        idle.giveBack(ONE, one.nodes().getFirst());
        assertThat(take(reader, ONE)).isTrue();
    }

    @Test
    void nothingStaysIdleBecauseTwoRunsWaitForEachOther() {
        FairCapacity three = new FairCapacity(Resources.cpus(3));
        CapacityShare.Member one = three.join("one", () -> {});
        CapacityShare.Member two = three.join("two", () -> {});
        assertThat(takes(one)).isEqualTo(3);
        assertThat(take(two, ONE)).isFalse();
        one.giveBack(ONE, three.nodes().getFirst());
        assertThat(take(two, ONE)).isTrue();
        one.giveBack(ONE, three.nodes().getFirst());

        assertThat(take(two, ONE) || take(one, ONE))
                .as("each has 1 of 3 and wants a second, beyond its share of 1.5")
                .isTrue();
    }

    @Test
    void aRunWaitsOnlyForWhatItWasRefusedLast() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(take(b, Resources.cpus(2))).isFalse();
        assertThat(take(b, ONE)).isFalse();
        b.waitsFor(List.of(new CapacityRequest(Resources.cpus(2), null)));

        a.giveBack(ONE, capacity.nodes().getFirst());

        assertThat(wokenB)
                .as("times that b was woken for a CPU when it wants two")
                .isZero();
        a.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(wokenB).isEqualTo(1);
    }

    @Test
    void whatARunCanDoWithoutIsNoClaim() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(b.tryTakeSpare(ONE, capacity.nodes().getFirst())).isFalse();

        a.giveBack(ONE, capacity.nodes().getFirst());

        assertThat(wokenB).isZero();
        assertThat(take(a, ONE)).isTrue();
    }

    @Test
    void aRunIsWokenWhenItsPartOfTheMemoryGrows() {
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        CapacityShare.Member c = capacity.join("c", () -> {});
        take(a, ONE);
        take(c, ONE);
        assertThat(b.part()).isEqualTo(1 / 3.0);
        b.watchPart();
        take(a, ONE);
        a.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(wokenB).isZero();

        c.giveBack(ONE, capacity.nodes().getFirst());

        assertThat(wokenB).isEqualTo(1);
        take(c, ONE);
        c.giveBack(ONE, capacity.nodes().getFirst());
        assertThat(wokenB).as("it is told once").isEqualTo(1);
    }

    private static boolean take(CapacityShare.Member member, Resources amount) {
        return member.tryTake(amount, null) != null;
    }

    private static int takes(CapacityShare.Member member) {
        int taken = 0;
        while (take(member, ONE)) {
            taken++;
        }
        return taken;
    }
}
