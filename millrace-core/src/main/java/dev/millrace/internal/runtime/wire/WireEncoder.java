package dev.millrace.internal.runtime.wire;

import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the messages of one direction of a connection to bytes, for a [WireDecoder] that gets all of them in the same
/// order: a schema is sent once and then by its number. By hand, since Java's serialisation of a message takes several
/// times as long as what a tiny task does. One thread at a time.
public final class WireEncoder {
    private final Map<Schema, Integer> schemas = new HashMap<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    private final DataOutputStream out = new DataOutputStream(bytes);

    /// @throws MillraceException culprit USER, if a value that a task told cannot be serialised
    public byte[] encode(WireMessage message) {
        bytes.reset();
        try {
            write(message);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "A message (" + message.getClass().getSimpleName() + ") cannot be serialised: " + e.getMessage(),
                    e);
        }
    }

    private void write(WireMessage message) throws IOException {
        out.writeByte(WireKind.of(message).ordinal());
        switch (message) {
            case WireMessage.Submit submit -> submit(submit);
            case WireMessage.Grant grant -> {
                out.writeLong(grant.task());
                out.writeInt(grant.blocks());
            }
            case WireMessage.Cancel cancel -> out.writeLong(cancel.task());
            case WireMessage.Begin begin -> out.writeLong(begin.task());
            case WireMessage.Recall recall -> out.writeLong(recall.task());
            case WireMessage.StartActor start -> {
                out.writeLong(start.actor());
                text(start.operator());
                program(start.program());
                resources(start.resources());
                out.writeInt(start.concurrency());
            }
            case WireMessage.StopActor stop -> out.writeLong(stop.actor());
            case WireMessage.ProgramPart part -> {
                out.writeLong(part.number());
                array(part.bytes());
            }
            case WireMessage.ForgetParts forget -> numbers(forget.numbers());
            case WireMessage.ReleaseBlocks release -> numbers(release.numbers());
            case WireMessage.NodeJoined joined -> {
                text(joined.node());
                text(joined.host());
                out.writeInt(joined.port());
            }
            case WireMessage.NodeLost lost -> {
                text(lost.node());
                text(lost.why());
            }
            case WireMessage.KeepShuffles keep -> {
                text(keep.folder());
                text(keep.job());
            }
            case WireMessage.AskWhereabouts ask -> out.writeLong(ask.task());
            case WireMessage.Welcome welcome -> {
                resources(welcome.resources());
                out.writeLong(welcome.blockMemory());
            }
            case WireMessage.Ready ready -> {
                out.writeLong(ready.task());
                metadata(ready.metadata());
                out.writeLong(ready.number());
                array(ready.bytes());
                file(ready.file());
            }
            case WireMessage.Paused paused -> out.writeLong(paused.task());
            case WireMessage.Ended ended -> {
                out.writeLong(ended.task());
                array(ended.failure());
                out.writeBoolean(ended.workerLost());
                report(ended.report());
            }
            case WireMessage.ActorState state -> {
                out.writeLong(state.actor());
                array(state.failure());
                out.writeBoolean(state.workerLost());
            }
            case WireMessage.Whereabouts where -> {
                out.writeLong(where.task());
                text(where.text());
            }
            case WireMessage.ShufflesKept kept -> text(kept.problem());
            case WireMessage.WantLinks want -> out.writeInt(want.links());
            case WireMessage.Pulse pulse -> {
                out.writeLong(pulse.cpuNanos());
                out.writeInt(pulse.progress().size());
                for (WireMessage.Progress each : pulse.progress()) {
                    out.writeLong(each.task());
                    out.writeLong(each.progress().inputRows());
                    out.writeLong(each.progress().outputRows());
                }
            }
            case WireMessage.Attachment attachment -> {
                text(attachment.name());
                array(attachment.bytes());
            }
            case WireMessage.Bye _ -> {}
        }
    }

    private void submit(WireMessage.Submit submit) throws IOException {
        out.writeLong(submit.task());
        out.writeLong(submit.first());
        text(submit.operator());
        program(submit.program());
        out.writeLong(submit.actor());
        out.writeInt(submit.inputs().size());
        for (WireInput input : submit.inputs()) {
            switch (input) {
                case WireInput.Inline(BlockBytes block) -> {
                    out.writeBoolean(true);
                    array(block.stream());
                    out.writeLong(block.from());
                    out.writeLong(block.rows());
                }
                case WireInput.Stored stored -> {
                    out.writeBoolean(false);
                    text(stored.node());
                    out.writeLong(stored.number());
                    out.writeLong(stored.from());
                    out.writeLong(stored.rows());
                    out.writeBoolean(stored.shared());
                    file(stored.file());
                }
            }
        }
        out.writeInt(submit.credit());
        resources(submit.resources());
        TaskSpec.Stage stage = submit.stage();
        out.writeLong(stage.run());
        out.writeInt(stage.position());
        out.writeBoolean(stage.feedsOutput());
        out.writeBoolean(stage.shuffles());
        out.writeLong(submit.behind());
    }

    private void file(@Nullable ShardFile file) throws IOException {
        out.writeBoolean(file != null);
        if (file != null) {
            text(file.name());
            out.writeLong(file.chunkRows());
            numbers(file.ends());
        }
    }

    private void program(ShippedProgram program) throws IOException {
        array(program.bytes());
        numbers(program.parts());
    }

    private void resources(Resources resources) throws IOException {
        out.writeDouble(resources.cpus());
        out.writeDouble(resources.gpus());
        out.writeLong(resources.memory());
        out.writeInt(resources.custom().size());
        for (Map.Entry<String, Double> each : resources.custom().entrySet()) {
            text(each.getKey());
            out.writeDouble(each.getValue());
        }
    }

    private void metadata(BlockMetadata metadata) throws IOException {
        out.writeLong(metadata.rows());
        out.writeLong(metadata.sizeBytes());
        Integer known = schemas.get(metadata.schema());
        out.writeInt(known == null ? schemas.size() : known);
        if (known == null) {
            schemas.put(metadata.schema(), schemas.size());
            object(metadata.schema());
        }
        out.writeInt(metadata.origins().size());
        for (RowOrigin origin : metadata.origins()) {
            text(origin.name());
            out.writeLong(origin.firstRow());
            out.writeLong(origin.rows());
        }
        String aside = metadata.aside();
        out.writeBoolean(aside != null);
        if (aside != null) {
            text(aside);
        }
    }

    private void report(TaskReport report) throws IOException {
        out.writeLong(report.wallNanos());
        out.writeLong(report.cpuNanos());
        out.writeLong(report.waitNanos());
        out.writeLong(report.pausedNanos());
        text(report.node());
        out.writeInt(report.counters().size());
        for (Map.Entry<String, Long> each : report.counters().entrySet()) {
            text(each.getKey());
            out.writeLong(each.getValue());
        }
        object(report.errors().isEmpty() ? null : new ArrayList<>(report.errors()));
        functions(report.functions());
        object(report.told());
    }

    /// By hand, since most tasks have some.
    private void functions(List<FunctionUse> functions) throws IOException {
        out.writeInt(functions.size());
        for (FunctionUse each : functions) {
            text(each.function());
            out.writeInt(each.batchSize());
            out.writeLong(each.calls());
            out.writeLong(each.rows());
            out.writeLong(each.nanos());
            out.writeLong(each.overheadNanos());
            out.writeInt(each.costs().size());
            for (FunctionUse.Cost cost : each.costs()) {
                out.writeBoolean(cost.load());
                text(cost.what());
                out.writeLong(cost.times());
                out.writeLong(cost.nanos());
            }
        }
    }

    private void text(String text) throws IOException {
        array(text.getBytes(StandardCharsets.UTF_8));
    }

    private void array(byte @Nullable [] array) throws IOException {
        out.writeInt(array == null ? -1 : array.length);
        if (array != null) {
            out.write(array);
        }
    }

    private void numbers(List<Long> numbers) throws IOException {
        out.writeInt(numbers.size());
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    private void object(@Nullable Serializable object) throws IOException {
        if (object == null) {
            array(null);
            return;
        }
        ByteArrayOutputStream own = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(own)) {
            stream.writeObject(object);
        }
        array(own.toByteArray());
    }
}
