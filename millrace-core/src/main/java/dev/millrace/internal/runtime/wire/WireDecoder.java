package dev.millrace.internal.runtime.wire;

import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.ToleratedErrors;
import dev.millrace.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Turns the bytes of a [WireEncoder] to messages. No length in them is believed beyond the bytes that are there, and
/// objects are deserialised by rules. Programs stay bytes. One thread.
public final class WireDecoder {
    private static final SerialRule SCHEMAS = SerialRule.only(
            "dev.millrace.type.",
            "java.util.",
            "java.lang.Object",
            "java.lang.Enum",
            "java.lang.Number",
            "java.lang.Integer",
            "java.lang.Long");
    private static final SerialRule VALUES = SerialRule.of(Object.class);

    private final List<Schema> schemas = new ArrayList<>();

    /// One message; cut off or longer bytes are an error.
    ///
    /// @throws MillraceException culprit INTERNAL, for bytes that no encoder wrote
    public WireMessage decode(byte[] bytes) {
        try {
            Fields in = new Fields(bytes);
            WireMessage message = read(in);
            if (in.left() != 0) {
                throw new IOException(in.left() + " bytes follow it");
            }
            return message;
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            throw new MillraceException(
                    Culprit.INTERNAL, "a message of " + bytes.length + " bytes cannot be read: " + e.getMessage(), e);
        }
    }

    private WireMessage read(Fields in) throws IOException, ClassNotFoundException {
        return switch (WireKind.of(in.readUnsignedByte())) {
            case SUBMIT -> submit(in);
            case GRANT -> new WireMessage.Grant(in.readLong(), in.readInt());
            case CANCEL -> new WireMessage.Cancel(in.readLong());
            case BEGIN -> new WireMessage.Begin(in.readLong());
            case RECALL -> new WireMessage.Recall(in.readLong());
            case START_ACTOR ->
                new WireMessage.StartActor(in.readLong(), in.text(), in.program(), in.resources(), in.readInt());
            case STOP_ACTOR -> new WireMessage.StopActor(in.readLong());
            case PROGRAM_PART -> new WireMessage.ProgramPart(in.readLong(), in.requireArray());
            case FORGET_PARTS -> new WireMessage.ForgetParts(in.numbers());
            case RELEASE_BLOCKS -> new WireMessage.ReleaseBlocks(in.numbers());
            case NODE_JOINED -> new WireMessage.NodeJoined(in.text(), in.text(), in.readInt());
            case NODE_LOST -> new WireMessage.NodeLost(in.text(), in.text());
            case KEEP_SHUFFLES -> new WireMessage.KeepShuffles(in.text(), in.text());
            case ASK_WHEREABOUTS -> new WireMessage.AskWhereabouts(in.readLong());
            case WELCOME -> new WireMessage.Welcome(in.resources(), in.readLong());
            case READY -> new WireMessage.Ready(in.readLong(), metadata(in), in.readLong(), in.array(), in.file());
            case PAUSED -> new WireMessage.Paused(in.readLong());
            case ENDED -> new WireMessage.Ended(in.readLong(), in.array(), in.readBoolean(), report(in));
            case ACTOR_STATE -> new WireMessage.ActorState(in.readLong(), in.array(), in.readBoolean());
            case WHEREABOUTS -> new WireMessage.Whereabouts(in.readLong(), in.text());
            case SHUFFLES_KEPT -> new WireMessage.ShufflesKept(in.text());
            case WANT_LINKS -> new WireMessage.WantLinks(in.readInt());
            case PULSE -> pulse(in);
            case ATTACHMENT -> new WireMessage.Attachment(in.text(), in.requireArray());
            case BYE -> new WireMessage.Bye();
        };
    }

    private static WireMessage.Submit submit(Fields in) throws IOException {
        long task = in.readLong();
        long first = in.readLong();
        String operator = in.text();
        ShippedProgram program = in.program();
        long actor = in.readLong();
        int count = in.count(1);
        List<WireInput> inputs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            inputs.add(
                    in.readBoolean()
                            ? new WireInput.Inline(new BlockBytes(in.requireArray(), in.readLong(), in.readLong()))
                            : new WireInput.Stored(
                                    in.text(),
                                    in.readLong(),
                                    in.readLong(),
                                    in.readLong(),
                                    in.readBoolean(),
                                    in.file()));
        }
        return new WireMessage.Submit(
                task,
                first,
                operator,
                program,
                actor,
                inputs,
                in.readInt(),
                in.resources(),
                new TaskSpec.Stage(in.readLong(), in.readInt(), in.readBoolean(), in.readBoolean()),
                in.readLong());
    }

    private BlockMetadata metadata(Fields in) throws IOException, ClassNotFoundException {
        long rows = in.readLong();
        long size = in.readLong();
        int number = in.readInt();
        if (number == schemas.size()) {
            schemas.add((Schema) Objects.requireNonNull(in.object(SCHEMAS), "a schema"));
        }
        Schema schema = schemas.get(number);
        int count = in.count(20);
        List<RowOrigin> origins = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            origins.add(new RowOrigin(in.text(), in.readLong(), in.readLong()));
        }
        return new BlockMetadata(rows, size, schema, origins, in.readBoolean() ? in.text() : null);
    }

    private static TaskReport report(Fields in) throws IOException, ClassNotFoundException {
        long wall = in.readLong();
        long cpu = in.readLong();
        long waited = in.readLong();
        long paused = in.readLong();
        String node = in.text();
        Map<String, Long> counters = new HashMap<>();
        for (int left = in.count(12); left > 0; left--) {
            counters.put(in.text(), in.readLong());
        }
        return new TaskReport(
                wall,
                cpu,
                waited,
                paused,
                node,
                Map.copyOf(counters),
                list(in.object(VALUES), ToleratedErrors.class),
                functions(in),
                (Serializable) in.object(VALUES));
    }

    private static List<FunctionUse> functions(Fields in) throws IOException {
        int count = in.count(44);
        List<FunctionUse> functions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            functions.add(new FunctionUse(
                    in.text(), in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), costs(in)));
        }
        return List.copyOf(functions);
    }

    private static List<FunctionUse.Cost> costs(Fields in) throws IOException {
        int count = in.count(21);
        List<FunctionUse.Cost> costs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            costs.add(new FunctionUse.Cost(in.readBoolean(), in.text(), in.readLong(), in.readLong()));
        }
        return costs;
    }

    private static WireMessage.Pulse pulse(Fields in) throws IOException {
        long cpu = in.readLong();
        int count = in.count(24);
        List<WireMessage.Progress> progress = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            progress.add(new WireMessage.Progress(in.readLong(), new TaskProgress(in.readLong(), in.readLong())));
        }
        return new WireMessage.Pulse(cpu, progress);
    }

    private static <T> List<T> list(@Nullable Object object, Class<T> kind) {
        return object == null
                ? List.of()
                : ((Collection<?>) object).stream().map(kind::cast).toList();
    }

    /// The fields of one message.
    private static final class Fields extends DataInputStream {
        private final ByteArrayInputStream bytes;

        Fields(byte[] bytes) {
            this(new ByteArrayInputStream(bytes));
        }

        private Fields(ByteArrayInputStream bytes) {
            super(bytes);
            this.bytes = bytes;
        }

        int left() {
            return bytes.available();
        }

        /// A number of elements, each of which takes at least `size` bytes.
        int count(int size) throws IOException {
            int count = readInt();
            if (count < 0 || (long) count * size > left()) {
                throw new IOException(count + " elements in " + left() + " bytes");
            }
            return count;
        }

        byte @Nullable [] array() throws IOException {
            int length = readInt();
            if (length == -1) {
                return null;
            }
            if (length < 0 || length > left()) {
                throw new IOException("an array of " + length + " bytes in " + left());
            }
            return readNBytes(length);
        }

        byte[] requireArray() throws IOException {
            return Objects.requireNonNull(array(), "an array");
        }

        String text() throws IOException {
            return new String(requireArray(), StandardCharsets.UTF_8);
        }

        List<Long> numbers() throws IOException {
            int count = count(Long.BYTES);
            List<Long> numbers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                numbers.add(readLong());
            }
            return numbers;
        }

        @Nullable
        ShardFile file() throws IOException {
            return readBoolean() ? new ShardFile(text(), readLong(), numbers()) : null;
        }

        ShippedProgram program() throws IOException {
            return new ShippedProgram(requireArray(), numbers());
        }

        Resources resources() throws IOException {
            double cpus = readDouble();
            double gpus = readDouble();
            long memory = readLong();
            Map<String, Double> custom = new HashMap<>();
            for (int left = count(12); left > 0; left--) {
                custom.put(text(), readDouble());
            }
            return new Resources(cpus, gpus, memory, Map.copyOf(custom));
        }

        @Nullable
        Object object(SerialRule rule) throws IOException, ClassNotFoundException {
            byte[] own = array();
            return own == null
                    ? null
                    : FilteredInput.read(own, Thread.currentThread().getContextClassLoader(), rule);
        }
    }
}
