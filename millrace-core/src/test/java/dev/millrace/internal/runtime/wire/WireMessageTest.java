package dev.millrace.internal.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.RangeSource;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.ShippedOnce;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.source.Source;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WireMessageTest {
    private static final Schema SCHEMA = Schema.of("id", DataType.INT64, "more", DataType.UINT64);
    private static final Resources SOME = new Resources(1.5, 0.5, 1 << 20, Map.of("tpu", 2.0));
    private static final ShippedProgram PROGRAM = new ShippedProgram(new byte[] {1, 2}, List.of(3L, 4L));

    private static final ShardFile FILE = new ShardFile("w1-7.arrow", 1000, List.of(400L, 700L));

    private static final List<WireMessage> ALL = List.of(
            new WireMessage.Submit(
                    7,
                    6,
                    "map(Main:42)",
                    PROGRAM,
                    -1,
                    List.of(new WireInput.Stored("worker-1", 1L << 40, 3, 4, true, FILE)),
                    2,
                    SOME,
                    new TaskSpec.Stage(9, 3, true, true),
                    5),
            new WireMessage.Grant(7, 3),
            new WireMessage.Cancel(7),
            new WireMessage.Begin(7),
            new WireMessage.Recall(7),
            new WireMessage.StartActor(5, "model", PROGRAM, SOME, 2),
            new WireMessage.StopActor(5),
            new WireMessage.ForgetParts(List.of(1L, 2L)),
            new WireMessage.ReleaseBlocks(List.of(1L << 41, 2L)),
            new WireMessage.NodeJoined("worker-2", "10.0.0.2", 7400),
            new WireMessage.NodeLost("worker-2", "it was silent for 5 s"),
            new WireMessage.AskWhereabouts(7),
            new WireMessage.Welcome(SOME, 1L << 33),
            new WireMessage.Ready(7, new BlockMetadata(3, 100, SCHEMA, List.of(), null), 1L << 40, null, FILE),
            new WireMessage.Ready(
                    7,
                    new BlockMetadata(3, 100, SCHEMA, List.of(new RowOrigin("part-1", 0, 3)), "letters"),
                    1L << 40,
                    null,
                    null),
            new WireMessage.KeepShuffles("s3://bucket/tmp", "job-1"),
            new WireMessage.ShufflesKept("the disk is full"),
            new WireMessage.Paused(7),
            new WireMessage.Ended(
                    7,
                    null,
                    false,
                    new TaskReport(1, 2, 3, 4, "worker-1", Map.of("rows", 5L), List.of(), List.of(), "told")),
            new WireMessage.Ended(
                    8,
                    null,
                    false,
                    new TaskReport(
                            1,
                            2,
                            3,
                            4,
                            "worker-1",
                            Map.of(),
                            List.of(),
                            List.of(
                                    new FunctionUse("mapBatches(Main:42)", 64, 1, 2, 3, 4, List.of()),
                                    new FunctionUse(
                                            "map(Main:43)",
                                            FunctionUse.ROWS,
                                            5,
                                            6,
                                            7,
                                            8,
                                            List.of(new FunctionUse.Cost(true, "OnnxModel", 9, 10)))),
                            null)),
            new WireMessage.ActorState(5, null, false),
            new WireMessage.Whereabouts(7, "at Main:42"),
            new WireMessage.WantLinks(1),
            new WireMessage.Pulse(12, List.of(new WireMessage.Progress(7, new TaskProgress(100, 50)))),
            new WireMessage.Bye());

    /// Arrays have no equality, so the messages that hold some are compared by their text without them.
    private static String text(WireMessage message) {
        return message.toString().replaceAll("\\[B@[0-9a-f]+", "bytes");
    }

    @Test
    void everyMessageArrivesAsItWasSent() {
        WireEncoder encoder = new WireEncoder();
        WireDecoder decoder = new WireDecoder();
        for (WireMessage message : ALL) {
            assertThat(text(decoder.decode(encoder.encode(message)))).isEqualTo(text(message));
        }
    }

    @Test
    void aSchemaTravelsOnce() {
        WireEncoder encoder = new WireEncoder();
        WireMessage ready = new WireMessage.Ready(7, new BlockMetadata(3, 100, SCHEMA, List.of(), null), 1, null, null);
        assertThat(encoder.encode(ready).length).isGreaterThan(200);
        assertThat(encoder.encode(ready).length).isLessThan(100);
    }

    @Test
    void bytesThatAreCutOffOrTooLongAreAnError() {
        for (WireMessage message : ALL) {
            byte[] whole = new WireEncoder().encode(message);
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> new WireDecoder().decode(cut)).isInstanceOf(MillraceException.class);
            }
            byte[] longer = Arrays.copyOf(whole, whole.length + 1);
            assertThatThrownBy(() -> new WireDecoder().decode(longer))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("1 bytes follow it");
        }
    }

    private record Steps(String name, int[] weight) implements ShippedOnce {}

    private record Task(int number, Steps steps) implements Serializable {}

    @Test
    void whatTasksShareIsShippedOnceAndSharedThere() {
        Steps steps = new Steps("steps", new int[10_000]);
        ProgramEncoder encoder = new ProgramEncoder(FunctionCheck::refusal);
        ShippedProgram first = encoder.encode("a task", new Task(1, steps));
        ShippedProgram second = encoder.encode("a task", new Task(2, steps));
        assertThat(first.parts()).hasSize(1).isEqualTo(second.parts());
        assertThat(first.bytes().length + second.bytes().length).isLessThan(2_000);

        ProgramDecoder decoder = new ProgramDecoder();
        long part = first.parts().getFirst();
        decoder.add(new WireMessage.ProgramPart(part, encoder.part(part)));
        ProgramDecoder.Received one = decoder.receive(first);
        ProgramDecoder.Received two = decoder.receive(second);
        decoder.forget(List.of(part));
        Task decoded = one.decode("a task", Task.class);
        assertThat(decoded.number()).isEqualTo(1);
        assertThat(decoded.steps().name()).isEqualTo("steps");
        assertThat(two.decode("a task", Task.class).steps()).isSameAs(decoded.steps());
    }

    private record Reading(int number, Source source) implements Serializable {}

    @Test
    void theSourceOfAReadIsShippedOnceWithAllOfItsSplits() {
        Source source = RangeSource.ids(1000);
        ProgramEncoder encoder = new ProgramEncoder(FunctionCheck::refusal);
        ShippedProgram first = encoder.encode("a read", new Reading(1, source));
        assertThat(first.parts()).hasSize(1);
        assertThat(encoder.encode("a read", new Reading(2, source)).parts()).isEqualTo(first.parts());
        ProgramDecoder decoder = new ProgramDecoder();
        long part = first.parts().getFirst();
        decoder.add(new WireMessage.ProgramPart(part, encoder.part(part)));
        assertThat(decoder.receive(first).decode("a read", Reading.class)).isEqualTo(new Reading(1, source));
    }
}
