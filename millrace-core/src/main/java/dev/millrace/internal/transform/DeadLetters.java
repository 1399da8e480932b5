package dev.millrace.internal.transform;

import dev.millrace.block.BlockBuilder;
import dev.millrace.runtime.TaskContext;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Failed rows of one task, emitted beside its output: one builder per name. One thread.
public final class DeadLetters implements AutoCloseable {
    /// `row` is the number in the origin, null if previous steps have dropped or added rows; `line` is the user's own.
    public static final Schema SCHEMA = Schema.of(
            new Field("operator", DataType.UTF8),
            new Field("origin", DataType.UTF8),
            new Field("row", DataType.INT64),
            new Field("error", DataType.UTF8),
            new Field("message", DataType.UTF8),
            new Field("line", DataType.UTF8),
            new Field("data", DataType.UTF8));

    static final long UNKNOWN_ROW = -1;

    private final TaskContext task;
    private final long chunkBytes;
    private final Map<String, BlockBuilder> builders = new LinkedHashMap<>();

    DeadLetters(TaskContext task, long chunkBytes) {
        this.task = task;
        this.chunkBytes = chunkBytes;
    }

    /// @param row in the origin, or [#UNKNOWN_ROW]
    /// @param data the row as JSON, or null
    void add(String name, String operation, String origin, long row, Throwable cause, String data) {
        BlockBuilder builder = builders.computeIfAbsent(name, _ -> new BlockBuilder(task.allocator(), SCHEMA, 16));
        builder.append(
                operation,
                origin,
                row == UNKNOWN_ROW ? null : row,
                cause.getClass().getName(),
                cause.getMessage(),
                UserCode.line(cause),
                data);
        if (builder.sizeBytes() >= chunkBytes) {
            builders.remove(name);
            emit(name, builder);
        }
    }

    /// Emits the rest.
    void finish() {
        while (!builders.isEmpty()) {
            String name = builders.keySet().iterator().next();
            emit(name, Objects.requireNonNull(builders.remove(name), "a name of the map"));
        }
    }

    private void emit(String name, BlockBuilder builder) {
        try (builder) {
            task.emitAside(name, builder.build());
        }
    }

    @Override
    public void close() {
        builders.values().forEach(BlockBuilder::close);
        builders.clear();
    }
}
