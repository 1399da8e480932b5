package dev.millrace.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Resources;
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

    private static int takes(CapacityShare.Member member) {
        int taken = 0;
        while (member.tryTake(ONE)) {
            taken++;
        }
        return taken;
    }
}
