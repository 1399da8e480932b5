package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.NeedCheck;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NeedCheckTest {
    private final FakePrograms plans = new FakePrograms();

    @Test
    void aTaskThatNeedsMoreThanThereIsNamesItselfAndWhatIsThere() {
        plans.need = new Resources(1, 2, 0, Map.of());
        PhysicalPlan plan = plans.read(1, 1, 1);

        assertThatThrownBy(() -> NeedCheck.check(plan, Resources.cpus(4), true))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessage("read needs 2 GPUs, 0 are there. Ask for less, or raise the session's limits.");
    }

    @Test
    void aPoolNeedsRoomForOneActor() {
        PhysicalPlan plan = pool(new Compute.Actors(3, 3, 3, 1), new Resources(1, 2, 0, Map.of()));

        assertThatThrownBy(() -> NeedCheck.check(plan, new Resources(4, 1, 0, Map.of()), true))
                .hasMessage("model: an actor needs 2 GPUs, 1 are there. Ask for smaller actors, or raise the session's"
                        + " limits.");
        assertThatCode(() -> NeedCheck.check(plan, new Resources(4, 4, 0, Map.of()), true))
                .doesNotThrowAnyException();
    }

    @Test
    void besideWhatItsActorsKeepEveryTaskMustFit() {
        plans.need = new Resources(1, 0, 500, Map.of());
        PhysicalPlan plan = pool(new Compute.Actors(1, 1, 1, 1), new Resources(1, 0, 600, Map.of()));

        assertThatThrownBy(() -> NeedCheck.check(plan, new Resources(1, 0, 1000, Map.of()), true))
                .hasMessageStartingWith("read and the actors of model, which keep what they have, together need 1100"
                        + " bytes of memory, 1000 are there.");
        assertThatCode(() -> NeedCheck.check(plan, new Resources(1, 0, 1100, Map.of()), true))
                .doesNotThrowAnyException();
    }

    @Test
    void actorsShareTheirCpusWithTheTasks() {
        PhysicalPlan plan = pool(new Compute.Actors(3, 3, 3, 1), Resources.cpus(1));

        assertThatCode(() -> NeedCheck.check(plan, Resources.cpus(1), true)).doesNotThrowAnyException();
    }

    private PhysicalPlan pool(Compute.Actors size, Resources need) {
        return plans.map("model", plans.read(1, 1, 1), size, 0, List::of).withResources(need);
    }
}
