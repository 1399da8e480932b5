package dev.millrace.internal.jsonfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteJson;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadJson;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import dev.millrace.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Damaged files: each is a data error that names the file, or reads as Python's json has it.
class JsonFuzzTest {
    private static final int CASES = Fuzz.runs(1_500);

    private static final List<String> FILES = List.of(
            """
            {"id":1,"name":"plain","price":12.5,"ok":true,"tags":["a","b"],"at":{"x":1,"y":-2.5e3}}
            {"id":2,"name":"esc \\" \\\\ \\u00e4\\ud83d\\ude00 \u00e4\u20ac","price":-0.125,"ok":false,"tags":[],"at":null}
            {"id":-3,"name":null,"price":1e-7,"tags":["long enough to be more than a word or two"],"ok":null,"at":{"y":0}}
            {"id":9007199254740993,"at":{"x":null},"price":0,"name":""}
            """,
            "[{\"a\": [1, 2, 3], \"b\": {\"c\": {\"d\": [true, null]}}},\n {\"a\": [], \"b\": {\"c\": null}},"
                    + " {\"b\": {}, \"a\": [4.5]}]\n",
            "{\"k\": 1}{\"k\": 2} {\"k\":\n3}\t{\"k\": \"\"}",
            """
            {"n": 123456789012345678, "m": 0.30000000000000004, "e": 1.7976931348623157e308, "z": -0.0}
            {"n": -1, "m": 2.2250738585072014e-308, "e": 5e-324, "z": 1}
            """);
    private static final byte[] LIKELY = "{}[]\",:\\0123456789.-+eEntfu \n\t\u0001".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void damagedFilesAreErrorsOrReadAsPythonDoes() throws IOException {
        long seed = Seeds.seed();
        System.out.println("JsonFuzzTest: seed " + seed);
        Random random = new Random(seed);
        int read = 0;
        try (Allocator allocator = Allocator.root("test", 256 << 20);
                DataOutputStream cases = new DataOutputStream(Files.newOutputStream(folder.resolve("cases")));
                DataOutputStream results = new DataOutputStream(Files.newOutputStream(folder.resolve("results")))) {
            ReadContext context = new ReadContext(allocator, 1 << 20);
            for (int i = 0; i < CASES; i++) {
                byte[] file = mutated(random);
                byte[] result = null;
                try {
                    result = rewritten(file, random, context);
                    read++;
                } catch (MillraceException e) {
                    assertThat(e.culprit())
                            .as("seed %d, case %d: %s", seed, i, e)
                            .isEqualTo(Culprit.DATA);
                    assertThat(e).as("seed %d, case %d", seed, i).hasMessageContaining("'some/file.json', ");
                } catch (RuntimeException | StackOverflowError e) {
                    throw new AssertionError(
                            "seed " + seed + ", case " + i + ": " + new String(file, StandardCharsets.UTF_8), e);
                }
                assertThat(allocator.heldBytes())
                        .as("seed %d, case %d", seed, i)
                        .isZero();
                put(cases, file);
                put(results, result);
            }
        }
        assertThat(read).as("seed %d: files that could be read", seed).isGreaterThan(CASES / 20);
        String told = Python.environment("test").run(JsonFuzzTest.class, "compare_json.py", folder.toString());
        assertThat(told.strip()).as("seed %d", seed).isEqualTo(read + " equal");
    }

    private static void put(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte[] mutated(Random random) {
        byte[] file = FILES.get(random.nextInt(FILES.size())).getBytes(StandardCharsets.UTF_8);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(file.length);
            int length = Math.min(file.length - at, 1 + random.nextInt(12));
            byte[] piece = switch (random.nextInt(6)) {
                case 0 -> new byte[] {(byte) random.nextInt(256)};
                case 1, 2 -> new byte[] {LIKELY[random.nextInt(LIKELY.length)]};
                case 3 -> Arrays.copyOfRange(file, at, at + length);
                case 4 -> new byte[0];
                default -> Arrays.copyOf(LIKELY, random.nextInt(3));
            };
            int dropped = random.nextBoolean() ? 0 : random.nextInt(4) == 0 ? length : 1;
            int rest = Math.min(file.length, at + dropped);
            byte[] next = new byte[at + piece.length + file.length - rest];
            System.arraycopy(file, 0, next, 0, at);
            System.arraycopy(piece, 0, next, at, piece.length);
            System.arraycopy(file, rest, next, at + piece.length, file.length - rest);
            file = next.length == 0 ? new byte[] {' '} : next;
        }
        return file;
    }

    /// What was read, written again as lines.
    private static byte[] rewritten(byte[] file, Random random, ReadContext context) throws IOException {
        MemoryRange range = new MemoryRange(file, 0, Long.MAX_VALUE, 1 + random.nextInt(300));
        JsonFormat format = new JsonFormat(ReadJson.defaults());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            Schema schema = format.settle(format.schema(range, context));
            FileFormat.Writer writer = new JsonOutput(WriteJson.lines().nameFloats())
                    .open(Channels.newChannel(out), schema, context.allocator());
            try (writer;
                    SplitReader reader = format.open(range, WantedColumns.all(schema), context)) {
                for (Block next = reader.next(); next != null; next = reader.next()) {
                    try (Block block = next) {
                        writer.write(block);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }
}
