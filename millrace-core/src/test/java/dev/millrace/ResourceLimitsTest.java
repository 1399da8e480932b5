package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Limits only limit; what is asked for beyond the machine is cut or refused, with a word.
class ResourceLimitsTest {
    private static final AtomicInteger MADE = new AtomicInteger();

    static final class Model implements BatchFunction {
        private static final long serialVersionUID = 1L;

        Model() {
            MADE.incrementAndGet();
        }

        @Override
        public Batch apply(Batch batch) {
            return batch;
        }
    }

    private static Session open(ResourceLimits limits) {
        return Session.builder().progress(ProgressSettings.OFF).limits(limits).open();
    }

    @Test
    void moreCpusAndGpusThanTheMachineHasAreThoseOfTheMachine() {
        MachineLimits machine = MachineLimits.local();
        try (Session session = open(ResourceLimits.DEFAULT.withCpus(8_000).withGpus(1_000))) {
            assertThat(session.resources().total().cpus()).isEqualTo(machine.cpus());
            assertThat(session.resources().total().gpus()).isEqualTo(machine.gpus());
        }
        try (Session session = open(ResourceLimits.DEFAULT.withCpus(0.5))) {
            assertThat(session.resources().total().cpus()).isEqualTo(0.5);
        }
    }

    @Test
    void slotsMayBeMoreThanTheCpus() {
        int many = 4 * MachineLimits.local().cpus();
        try (Session session = open(ResourceLimits.DEFAULT.withSlots(many))) {
            assertThat(session.resources().total().cpus()).isEqualTo(many);
        }
        assertThatThrownBy(() -> ResourceLimits.DEFAULT.withCpus(2).withSlots(4))
                .hasMessage(
                        "Resource limits have cpus 2.0 and slots 4: slots stand in place of CPUs, so give one of the"
                                + " two.");
        assertThatThrownBy(() -> ResourceLimits.DEFAULT.withSlots(0))
                .hasMessage("A session has 1 slot for tasks or more, not 0.");
    }

    @Test
    void moreMemoryThanTheMachineHasIsAnError() {
        MachineLimits machine = MachineLimits.local();
        assertThatThrownBy(() -> open(ResourceLimits.DEFAULT.withMemory(machine.memory() + 1)))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessage("The session's limit for blocks is " + (machine.memory() + 1) + " bytes, more than the "
                        + machine.memory() + " bytes that this machine or its container has. Ask for less with"
                        + " withMemory(...), or leave it out: " + machine.storeBytes() + " bytes are taken then.");
        open(ResourceLimits.DEFAULT.withMemory(machine.memory())).close();
    }

    @Test
    void aFixedPoolLargerThanTheSessionStartsWhatFitsAndSaysSo() {
        StringBuilder logged = new StringBuilder();
        Logger logger = Logger.getLogger(Verbs.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord said) {
                logged.append(said.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        MADE.set(0);
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(new EmbeddedRuntime(new Resources(4, 2, 0, Map.of())))
                .open()) {
            Dataset wide = session.range(100, 20)
                    .mapBatches(Model::new, Compute.actors(80).batchSize(5));
            assertThat(logged.toString())
                    .matches("mapBatches\\(.*\\): a pool of 80 actors needs 80 CPUs, 4 are there in this session, so it"
                            + " has 4\\.");
            assertThat(wide.explain()).contains("4 actors of 80 asked for");
            assertThat(wide.takeAll()).hasSize(100);
            assertThat(MADE.get()).isBetween(1, 4);
            assertThat(wide.stats()).contains("80 actors were asked for, and the session had room for ");

            Dataset gpus = session.range(10)
                    .mapBatches(Model::new, Compute.actors(3).gpus(1).batchSize(5));
            assertThat(gpus.explain()).contains("2 actors of 3 asked for");
            assertThat(gpus.takeAll()).hasSize(10);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    void twoPoolsThatShareTheGpusGoOnWithWhatIsThere() {
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(new EmbeddedRuntime(new Resources(4, 3, 0, Map.of())))
                .open()) {
            Compute two = Compute.actors(2).gpus(1).batchSize(5);
            Dataset both = session.range(100, 20).mapBatches(Model::new, two).mapBatches(Model::new, two);
            assertThat(both.takeAll()).hasSize(100);
        }
    }
}
