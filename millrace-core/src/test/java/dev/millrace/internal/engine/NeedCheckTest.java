package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.internal.resource.NeedCheck;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class NeedCheckTest {
    private final FakePrograms plans = new FakePrograms();

    @Test
    void aTaskThatNeedsMoreThanThereIsNamesItselfAndWhatIsThere() {
        plans.need = new Resources(1, 2, 0, Map.of());
        PhysicalPlan plan = plans.read(1, 1, 1);

        assertThatThrownBy(() -> check(plan, Resources.cpus(4)))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessage("read needs 2 GPUs, 0 are there. Ask for less, or raise the session's limits.");
    }

    @Test
    void aPoolNeedsRoomForOneActor() {
        PhysicalPlan plan = pool(new Compute.Actors(3, 3, 3, 1), new Resources(1, 2, 0, Map.of()));

        assertThatThrownBy(() -> check(plan, new Resources(4, 1, 0, Map.of())))
                .hasMessage("model: an actor needs 2 GPUs, 1 are there. Ask for smaller actors, or raise the session's"
                        + " limits.");
        assertThatCode(() -> check(plan, new Resources(4, 4, 0, Map.of()))).doesNotThrowAnyException();
    }

    @Test
    void besideWhatItsActorsKeepEveryTaskMustFit() {
        plans.need = new Resources(1, 0, 500, Map.of());
        PhysicalPlan plan = pool(new Compute.Actors(1, 1, 1, 1), new Resources(1, 0, 600, Map.of()));

        assertThatThrownBy(() -> check(plan, new Resources(1, 0, 1000, Map.of())))
                .hasMessageStartingWith("read and the actors of model, which keep what they have, together need 1100"
                        + " bytes of memory, 1000 are there.");
        assertThatCode(() -> check(plan, new Resources(1, 0, 1100, Map.of()))).doesNotThrowAnyException();
    }

    @Test
    void actorsShareTheirCpusWithTheTasks() {
        PhysicalPlan plan = pool(new Compute.Actors(3, 3, 3, 1), Resources.cpus(1));

        assertThatCode(() -> check(plan, Resources.cpus(1))).doesNotThrowAnyException();
    }

    private static void check(PhysicalPlan plan, Resources total) {
        NeedCheck.check(plan, new FairCapacity(total), UnaryOperator.identity());
    }

    private PhysicalPlan pool(Compute.Actors size, Resources need) {
        return plans.map("model", plans.read(1, 1, 1), size, 0, List::of).withResources(need);
    }
}
