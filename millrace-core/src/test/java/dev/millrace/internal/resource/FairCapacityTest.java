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
        assertThat(b.tryTake(ONE)).isFalse();

        a.giveBack(ONE);

        assertThat(wokenB).isEqualTo(1);
        assertThat(a.tryTake(ONE)).as("b waits for its share").isFalse();
        assertThat(b.tryTake(ONE)).isTrue();
        a.giveBack(ONE);
        assertThat(b.tryTake(ONE)).isTrue();
        a.giveBack(ONE);
        assertThat(a.tryTake(ONE)).as("within its own share").isTrue();
    }

    @Test
    void aRunThatNoLongerWaitsHoldsNobodyBack() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(b.tryTake(ONE)).isFalse();
        a.giveBack(ONE);
        assertThat(a.tryTake(ONE)).isFalse();

        b.settled();

        assertThat(wokenA).isEqualTo(1);
        assertThat(a.tryTake(ONE)).isTrue();
    }

    @Test
    void aRunTakesNoMoreThanItsOwnLimitAndIsOwedNoMore() {
        CapacityShare.Member limited = capacity.join("limited", ONE, () -> wokenB++);
        assertThat(takes(limited)).isEqualTo(1);
        assertThat(takes(a)).as("beyond its half: the other may not take it").isEqualTo(3);
        a.giveBack(ONE);
        assertThat(wokenB).as("what it waits for is not free for it").isZero();
        limited.giveBack(ONE);
        assertThat(takes(limited)).isEqualTo(1);
    }

    @Test
    void theFairPartCountsRunsThatWantSomething() {
        CapacityShare.Member b = capacity.join("b", () -> {});
        assertThat(a.part()).isEqualTo(1);
        b.tryTake(ONE);
        assertThat(a.part()).isEqualTo(0.5);
        assertThat(a.fairShare()).isEqualTo(Resources.cpus(2));
    }

    @Test
    void aRunThatEndsWithSomethingInHandIsABug() {
        a.tryTake(ONE);

        assertThatThrownBy(a::close).hasMessageContaining("'a'").hasMessageContaining("1 CPU");
        assertThat(capacity.used().cpus()).isZero();
    }

    @Test
    void whoHasNoneOfItIsHeldBackByNobody() {
        FairCapacity one = new FairCapacity(new Resources(1, 2, 0, Map.of()));
        CapacityShare.Member idle = one.join("idle", () -> {});
        CapacityShare.Member reader = one.join("reader", () -> {});
        Resources gpu = new Resources(0, 1, 0, Map.of());
        assertThat(idle.tryTake(gpu)).isTrue();
        assertThat(reader.tryTake(gpu)).isTrue();
        assertThat(idle.tryTake(ONE)).isTrue();
        assertThat(reader.tryTake(ONE)).isFalse();
        idle.giveBack(ONE);

        assertThat(idle.tryTake(ONE)).as("GPUs say nothing of who has a CPU").isTrue();
        idle.giveBack(ONE);
        assertThat(reader.tryTake(ONE)).isTrue();
    }

    @Test
    void nothingStaysIdleBecauseTwoRunsWaitForEachOther() {
        FairCapacity three = new FairCapacity(Resources.cpus(3));
        CapacityShare.Member one = three.join("one", () -> {});
        CapacityShare.Member two = three.join("two", () -> {});
        assertThat(takes(one)).isEqualTo(3);
        assertThat(two.tryTake(ONE)).isFalse();
        one.giveBack(ONE);
        assertThat(two.tryTake(ONE)).isTrue();
        one.giveBack(ONE);

        assertThat(two.tryTake(ONE) || one.tryTake(ONE))
                .as("each has 1 of 3 and wants a second, beyond its share of 1.5")
                .isTrue();
    }

    @Test
    void aRunWaitsOnlyForWhatItWasRefusedLast() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(b.tryTake(Resources.cpus(2))).isFalse();
        assertThat(b.tryTake(ONE)).isFalse();
        b.waitsFor(List.of(Resources.cpus(2)));

        a.giveBack(ONE);

        assertThat(wokenB)
                .as("times that b was woken for a CPU when it wants two")
                .isZero();
        a.giveBack(ONE);
        assertThat(wokenB).isEqualTo(1);
    }

    @Test
    void whatARunCanDoWithoutIsNoClaim() {
        takes(a);
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        assertThat(b.tryTakeSpare(ONE)).isFalse();

        a.giveBack(ONE);

        assertThat(wokenB).isZero();
        assertThat(a.tryTake(ONE)).isTrue();
    }

    @Test
    void aRunIsWokenWhenItsPartOfTheMemoryGrows() {
        CapacityShare.Member b = capacity.join("b", () -> wokenB++);
        CapacityShare.Member c = capacity.join("c", () -> {});
        a.tryTake(ONE);
        c.tryTake(ONE);
        assertThat(b.part()).isEqualTo(1 / 3.0);
        b.watchPart();
        a.tryTake(ONE);
        a.giveBack(ONE);
        assertThat(wokenB).isZero();

        c.giveBack(ONE);

        assertThat(wokenB).isEqualTo(1);
        c.tryTake(ONE);
        c.giveBack(ONE);
        assertThat(wokenB).as("it is told once").isEqualTo(1);
    }

    private static int takes(CapacityShare.Member member) {
        int taken = 0;
        while (member.tryTake(ONE)) {
            taken++;
        }
        return taken;
    }
}
