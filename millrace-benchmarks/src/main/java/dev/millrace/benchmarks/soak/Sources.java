package dev.millrace.benchmarks.soak;

import dev.millrace.Session;
import dev.millrace.arrow.IpcWriter;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Random sources of pipelines.
final class Sources {
    private static final Schema SCHEMA = Schema.of(new Field("id", DataType.INT64), new Field("text", DataType.UTF8));

    private Sources() {}

    static Built any(Session session, SplittableRandom random, int mostRows) {
        int rows = random.nextInt(10) == 0 ? random.nextInt(3) : random.nextInt(mostRows);
        return switch (random.nextInt(4)) {
            case 0 -> range(session, rows, 1 + random.nextInt(20));
            case 1 -> {
                List<Map<String, Object>> model = texts(rows, random);
                int blocks = 1 + random.nextInt(20);
                yield new Built(
                        session.items(values(model), blocks),
                        model,
                        Map.of(),
                        true,
                        "items(" + rows + " rows, " + blocks + " blocks)");
            }
            case 2 -> {
                List<Map<String, Object>> model = texts(rows, random);
                List<Row> values = values(model);
                yield new Built(
                        session.fromIterator(values::iterator),
                        model,
                        Map.of(),
                        true,
                        "fromIterator(" + rows + " rows)");
            }
            default -> {
                List<Map<String, Object>> model = texts(rows, random);
                yield new Built(
                        session.fromArrow(arrow(session, model, 1 + random.nextInt(500))),
                        model,
                        Map.of(),
                        true,
                        "fromArrow(" + rows + " rows)");
            }
        };
    }

    private static Built range(Session session, int rows, int blocks) {
        List<Map<String, Object>> model = new ArrayList<>();
        for (long i = 0; i < rows; i++) {
            model.add(row(i));
        }
        return new Built(
                session.range(rows, blocks), model, Map.of(), true, "range(" + rows + ", " + blocks + " blocks)");
    }

    private static Map<String, Object> row(long id) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", id);
        return row;
    }

    private static List<Map<String, Object>> texts(int rows, SplittableRandom random) {
        List<Map<String, Object>> model = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            Map<String, Object> row = row(random.nextInt(100_000));
            row.put("text", i > 0 && random.nextInt(5) == 0 ? null : "text-" + random.nextInt(50));
            model.add(row);
        }
        return model;
    }

    private static List<Row> values(List<Map<String, Object>> model) {
        return model.stream().map(Row::of).toList();
    }

    private static byte[] arrow(Session session, List<Map<String, Object>> model, int rowsPerBlock) {
        List<Block> blocks = new ArrayList<>();
        try {
            for (int from = 0; from < model.size(); from += rowsPerBlock) {
                try (BlockBuilder builder = new BlockBuilder(session.allocator(), SCHEMA, rowsPerBlock)) {
                    model.subList(from, Math.min(model.size(), from + rowsPerBlock))
                            .forEach(row -> builder.append(row.get("id"), row.get("text")));
                    blocks.add(builder.build());
                }
            }
            Buffer bytes = IpcWriter.toBuffer(SCHEMA, blocks, IpcCompression.NONE, session.allocator());
            try {
                return bytes.segment().toArray(ValueLayout.JAVA_BYTE);
            } finally {
                bytes.release();
            }
        } finally {
            blocks.forEach(Block::close);
        }
    }
}
