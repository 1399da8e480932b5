package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.Functions;
import dev.millrace.batch.Row;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expressions;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.internal.runtime.wire.ProgramDecoder;
import dev.millrace.internal.runtime.wire.ProgramEncoder;
import dev.millrace.internal.runtime.wire.ShippedProgram;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.TaskProgram;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShippedProgramTest {
    private static TransformStep map(RowFunction function) {
        return FakeTask.rows("map(Main:42)", new RowOperation.Map(function));
    }

    /// As on a worker, which gets the parts first.
    private static <T> T shipped(Serializable program, Class<T> kind) {
        ProgramEncoder encoder = new ProgramEncoder(FunctionCheck::refusal);
        ProgramDecoder decoder = new ProgramDecoder();
        ShippedProgram sent = encoder.encode("map", program);
        sent.parts().forEach(part -> decoder.add(new WireMessage.ProgramPart(part, encoder.part(part))));
        return decoder.receive(sent).decode("map", kind);
    }

    @Test
    void aProgramThatWasShippedRuns() throws Exception {
        long offset = 10;
        ChainSpec chain = FakeTask.chain(
                map(row -> Row.of("id", row.getLong("id") + offset)),
                new FilterStep(Expressions.col("id").gt(10)));
        Serializable program = new TaskPrograms.MapProgram(chain);
        try (FakeTask task = new FakeTask()) {
            task.ids(0, 3).run(shipped(program, TaskProgram.class));
            assertThat(task.rows()).containsExactly(Row.of("id", 11L), Row.of("id", 12L));
        }
    }

    @Test
    void anActorThatWasShippedStarts() throws Exception {
        ChainSpec chain = FakeTask.chain(FakeTask.batches(
                "mapBatches(m)", new BatchOperation.Stateful(() -> (BatchFunction) batch -> batch), 4));
        Serializable program = new ChainActor(chain);
        assertThat(shipped(program, ActorProgram.class).start(new ActorContext("model", Resources.NONE, List.of())))
                .isNotNull();
    }

    @Test
    void aCapturedVariableThatCannotBeShippedIsNamed() {
        ChainSpec chain = FakeTask.chain(map(row -> row), map(Functions.capturing(new Functions.Db())));
        assertThatThrownBy(() ->
                        new ProgramEncoder(FunctionCheck::refusal).encode("map", new TaskPrograms.MapProgram(chain)))
                .isInstanceOf(MillraceException.class)
                .hasMessageMatching(
                        "map\\(Main:42\\) captures " + either("connection", "Db") + ", a com.acme.Functions\\$Db,"
                                + " which is not serialisable. Let its class implement java.io.Serializable, create it inside"
                                + " the function, or make the function a class that creates it once per actor"
                                + " \\(Compute.actors\\).")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void thePathLeadsThroughWhatIsSerialisable() {
        Functions.Settings settings = new Functions.Settings("host", new Functions.Db());
        assertThatThrownBy(() -> FunctionCheck.requireSerialisable("map(f)", Functions.capturing(settings)))
                .hasMessageMatching("map\\(f\\) captures " + either("settings.database", "Settings.database") + ".*");
        List<Functions.Db> many = List.of(new Functions.Db());
        RowFunction function = row -> row.with("n", many.size());
        assertThatThrownBy(() -> FunctionCheck.requireSerialisable("map(f)", function))
                .hasMessageMatching("map\\(f\\) captures " + either("many\\[]", "ListN?\\d*\\[]") + ".*");
    }

    /// The variable's name where it was compiled with variable names (`-g`, as Maven does), else its class.
    private static String either(String variable, String type) {
        return "'(" + variable + "|" + type + ")'";
    }

    @Test
    void aCapturedThisIsExplained() {
        assertThatThrownBy(() -> FunctionCheck.requireSerialisable("mapBatches(f)", new Functions.Job().function()))
                .hasMessage(
                        "mapBatches(f) captures 'this', a com.acme.Functions$Job, which is not serialisable. The function uses a field"
                                + " or method of the object around it: copy the field into a local variable first, make the method"
                                + " static, or use a class with Compute.actors.");
    }

    @Test
    void functionsHaveNames() {
        RowFunction reference = Functions::misspelt;
        RowFunction lambda = row -> row;
        BatchFunction object = new Doubler();
        assertThat(FunctionNames.of("map", reference, null)).isEqualTo("map(misspelt)");
        assertThat(FunctionNames.of("map", reference, "mine")).isEqualTo("mine");
        assertThat(FunctionNames.nameOf(lambda)).matches("ShippedProgramTest:\\d+");
        assertThat(FunctionNames.nameOf(object)).isEqualTo("Doubler");
        dev.millrace.function.Factory<BatchFunction> factory = Doubler::new;
        assertThat(FunctionNames.nameOf(factory)).isEqualTo("Doubler");
    }

    static final class Doubler implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public dev.millrace.batch.Batch apply(dev.millrace.batch.Batch batch) {
            return batch;
        }
    }
}
