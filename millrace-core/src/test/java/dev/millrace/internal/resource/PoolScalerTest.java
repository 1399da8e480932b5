package dev.millrace.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.resource.PoolScaler.Load;
import org.junit.jupiter.api.Test;

class PoolScalerTest {
    private static final long LONG = PoolScaler.PATIENCE.toNanos();

    /// @param load min, max, concurrency, ready, starting, in flight, queued
    private static PoolScaler.Decision decide(long underused, int... load) {
        return PoolScaler.decide(
                new Load(load[0], load[1], load[2], 2 * load[2], load[3], load[4], load[5], load[6], underused));
    }

    @Test
    void aPoolGrowsAboveItsLoadAndSaysWhy() {
        PoolScaler.Decision decision = decide(0, 1, 4, 1, 2, 0, 4, 1);

        assertThat(decision.delta()).isEqualTo(1);
        assertThat(decision.reason()).isEqualTo("4 calls in flight for 2 actors, more than 1.75 per slot");
    }

    @Test
    void itDoesNotGrowBelowThatAtItsMaximumWhileOneStartsOrWithNothingToDo() {
        assertThat(decide(0, 1, 4, 1, 2, 0, 3, 1).delta()).isZero();
        assertThat(decide(0, 1, 2, 1, 2, 0, 4, 1).delta()).isZero();
        assertThat(decide(0, 1, 4, 1, 2, 1, 4, 1).delta()).isZero();
        assertThat(decide(0, 1, 4, 1, 2, 0, 4, 0).delta()).isZero();
    }

    @Test
    void itShrinksWhenUnderusedForLongButNotBelowItsMinimum() {
        assertThat(decide(LONG, 1, 4, 1, 3, 0, 1, 0).delta()).isEqualTo(-1);
        assertThat(decide(LONG - 1, 1, 4, 1, 3, 0, 1, 0).delta()).isZero();
        assertThat(decide(LONG, 3, 4, 1, 3, 0, 1, 0).delta()).isZero();
        assertThat(decide(LONG, 1, 4, 1, 2, 0, 1, 0).delta()).isZero();
    }

    @Test
    void theLastActorStaysWhileSomethingWaits() {
        assertThat(decide(LONG, 0, 4, 1, 1, 0, 0, 1).delta()).isZero();
        assertThat(decide(LONG, 0, 4, 1, 1, 0, 0, 0).delta()).isEqualTo(-1);
    }

    @Test
    void lostActorsAreReplacedUpToTheMinimum() {
        assertThat(decide(0, 3, 4, 1, 1, 0, 0, 0).delta()).isEqualTo(2);
        assertThat(decide(0, 0, 4, 1, 0, 0, 0, 1).delta()).isEqualTo(1);
        assertThat(decide(0, 0, 4, 1, 0, 0, 0, 0).delta()).isZero();
    }

    @Test
    void aPoolWhoseActorsTakeOneCallGrowsWhenAllHaveIt() {
        assertThat(PoolScaler.decide(new Load(1, 4, 1, 1, 2, 0, 2, 1, 0)).delta())
                .isEqualTo(1);
        assertThat(PoolScaler.decide(new Load(1, 4, 1, 1, 2, 0, 1, 1, 0)).delta())
                .isZero();
    }
}
