package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.parquet.ThriftTree.Struct;
import dev.millrace.source.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Small files that claim much: each is read, or refused in a sentence, within the memory of the read and little more
/// on the Java heap.
class HostileFilesTest {
    private static final long MEMORY = 64L << 20;
    private static final long HEAP = 128L << 20;
    private static final int INT32 = 1;
    private static final int BYTE_ARRAY = 6;
    private static final int FIXED = 7;
    private static final long REQUIRED = 0;
    private static final long OPTIONAL = 1;
    private static final long REPEATED = 2;
    private static final int PLAIN = 0;
    private static final int DELTA_LENGTHS = 6;
    private static final int DELTA_STRINGS = 7;
    private static final int[] PLACES = {5, 6, 7, 9, 11, 14};

    @TempDir
    static Path folder;

    private static byte[] usual;

    @BeforeAll
    static void write() throws IOException {
        usual = Files.readAllBytes(DuckDbFiles.write(
                folder.resolve("usual.parquet"),
                "SELECT i::INTEGER AS i, 'text ' || i AS t, [i, i + 1] AS l FROM range(1000) r(i)"));
    }

    interface Attack {
        byte[] file();
    }

    @TestFactory
    Stream<DynamicTest> claimsOfSmallFilesCostLittle() {
        Map<String, Attack> attacks = new LinkedHashMap<>();
        for (long claim : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 100, 1L << 62, 1L << 40, Integer.MAX_VALUE}) {
            for (int field : PLACES) {
                attacks.put(
                        "field " + field + " of all columns is " + claim,
                        () -> edited(file -> chunks(file).forEach(chunk -> chunk.number(field, claim))));
            }
            attacks.put(
                    "rows of " + claim,
                    () -> edited(file -> {
                        file.groups().forEach(group -> group.number(3, claim));
                        file.footer().number(3, claim * file.groups().size());
                        chunks(file).forEach(chunk -> chunk.number(5, claim));
                    }));
        }
        for (long children : new long[] {Integer.MAX_VALUE, 1 << 20, 5, -1, Integer.MIN_VALUE}) {
            for (int element = 0; element < 3; element++) {
                int which = element;
                attacks.put(
                        "element " + element + " has " + children + " children",
                        () -> edited(file -> file.footer().list(2).struct(which).number(5, children)));
            }
        }
        attacks.put("a schema nested 10,000 deep", () -> deep(10_000));
        attacks.put("a schema nested 50 deep", () -> deep(50));
        attacks.put(
                "values of 2 GiB each",
                () -> column(FIXED, REQUIRED, PLAIN, 1000, 1000, new byte[100], Integer.MAX_VALUE));
        attacks.put(
                "a list of 2 billion entries",
                () -> column(
                        INT32,
                        REPEATED,
                        PLAIN,
                        1,
                        Integer.MAX_VALUE,
                        levels(together(run(1, 0), run(Integer.MAX_VALUE - 1, 1)), run(Integer.MAX_VALUE, 0)),
                        0));
        attacks.put(
                "2 billion lists that are empty",
                () -> column(
                        INT32,
                        REPEATED,
                        PLAIN,
                        Integer.MAX_VALUE,
                        Integer.MAX_VALUE,
                        levels(run(Integer.MAX_VALUE, 0), run(Integer.MAX_VALUE, 0)),
                        0));
        attacks.put(
                "40 million empty strings",
                () -> column(BYTE_ARRAY, REQUIRED, DELTA_LENGTHS, 40_000_000, 40_000_000, deltas(40_000_000, 0), 0));
        attacks.put(
                "strings that share ever more",
                () -> column(
                        BYTE_ARRAY,
                        REQUIRED,
                        DELTA_STRINGS,
                        50_000,
                        50_000,
                        together(deltas(50_000, 0, 1), deltas(50_000, 1), new byte[50_000]),
                        0));
        return attacks.entrySet().stream()
                .map(attack -> DynamicTest.dynamicTest(
                        attack.getKey(),
                        () -> read(attack.getKey(), attack.getValue().file())));
    }

    private static void read(String what, byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("hostile.parquet"), bytes);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try (Allocator allocator = Allocator.root("reading", MEMORY)) {
            try {
                Source source = ParquetFiles.source(file);
                // All rows of a file that claims billions of them would take a while, whatever they hold.
                Source some = source.limit(100_000).orElseThrow();
                ParquetFiles.forEachBlock(some, allocator, 1 << 20, Block::sizeBytes);
                String first = source.schema().orElseThrow().field(0).name();
                Source pushed = some.filter(col(first).isNull()).orElseThrow().source();
                if (source.rows().orElse(0) < 1 << 20) {
                    ParquetFiles.forEachBlock(pushed, allocator, 1 << 20, Block::sizeBytes);
                }
            } catch (MillraceException e) {
                if (!MemoryRefused.isIn(e)) {
                    assertThat(e.culprit()).as(what + ": " + e).isEqualTo(Culprit.DATA);
                    assertThat(e).hasMessageContaining(file.toString());
                }
            }
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).as(what).isLessThan(HEAP);
    }

    interface Edit {
        void of(EditedFile file);
    }

    private static byte[] edited(Edit edit) {
        EditedFile file = new EditedFile(usual);
        edit.of(file);
        return file.bytes();
    }

    private static List<Struct> chunks(EditedFile file) {
        List<Struct> chunks = new ArrayList<>();
        file.groups().forEach(group -> group.list(1).values().forEach(chunk -> chunks.add(((Struct) chunk).struct(3))));
        return chunks;
    }

    private static Struct element(String name, long repetition) {
        return new Struct().set(3, ThriftTree.I32, repetition).bytes(4, name.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] deep(int levels) {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            elements.add(element("g" + i, OPTIONAL).set(5, ThriftTree.I32, 1L));
        }
        elements.add(element("leaf", OPTIONAL).set(1, ThriftTree.I32, (long) INT32));
        return file(elements, INT32, new byte[0], 0, 0);
    }

    /// A file of one column `c`, whose one page of the first version holds `page`; one that is not required has its
    /// levels in it.
    private static byte[] column(
            int type, long repetition, int encoding, int rows, int values, byte[] page, int width) {
        Struct leaf = element("c", repetition).set(1, ThriftTree.I32, (long) type);
        if (width > 0) {
            leaf.set(2, ThriftTree.I32, (long) width);
        }
        Struct header = new Struct()
                .set(1, ThriftTree.I32, 0L)
                .set(2, ThriftTree.I32, (long) page.length)
                .set(3, ThriftTree.I32, (long) page.length)
                .set(
                        5,
                        ThriftTree.STRUCT,
                        new Struct()
                                .set(1, ThriftTree.I32, (long) values)
                                .set(2, ThriftTree.I32, (long) encoding)
                                .set(3, ThriftTree.I32, 3L)
                                .set(4, ThriftTree.I32, 3L));
        List<Object> elements = new ArrayList<>();
        elements.add(element("schema", REQUIRED).set(5, ThriftTree.I32, 1L));
        elements.add(leaf);
        return file(elements, type, together(header.encoded(), page), rows, values);
    }

    private static byte[] file(List<Object> elements, int type, byte[] data, long rows, long values) {
        Struct metadata = new Struct()
                .set(1, ThriftTree.I32, (long) type)
                .list(2, ThriftTree.I32, new ArrayList<>(List.of(0L)))
                .list(3, ThriftTree.BINARY, new ArrayList<>(List.of(new byte[] {'c'})))
                .set(4, ThriftTree.I32, 0L)
                .number(5, values)
                .number(6, data.length)
                .number(7, data.length)
                .number(9, 4);
        Struct group = new Struct()
                .list(1, ThriftTree.STRUCT, new ArrayList<>(List.of(new Struct().set(3, ThriftTree.STRUCT, metadata))))
                .number(2, data.length)
                .number(3, rows);
        Struct footer = new Struct()
                .set(1, ThriftTree.I32, 1L)
                .list(2, ThriftTree.STRUCT, elements)
                .number(3, rows)
                .list(4, ThriftTree.STRUCT, new ArrayList<>(List.of(group)));
        byte[] tail = footer.encoded();
        byte[] length = {
            (byte) tail.length, (byte) (tail.length >> 8), (byte) (tail.length >> 16), (byte) (tail.length >> 24)
        };
        byte[] magic = "PAR1".getBytes(StandardCharsets.US_ASCII);
        return together(magic, data, tail, length, magic);
    }

    /// Each behind its length.
    private static byte[] levels(byte[] repetitions, byte[] definitions) {
        return together(length(repetitions), repetitions, length(definitions), definitions);
    }

    private static byte[] length(byte[] levels) {
        return new byte[] {(byte) levels.length, 0, 0, 0};
    }

    private static byte[] run(int count, int level) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint((long) count << 1, out);
        out.write(level);
        return out.toByteArray();
    }

    /// Numbers in delta encoding: the first, and each of the others more by `step`. Blocks of 65,536 take four bytes.
    private static byte[] deltas(int count, int first, int step) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int block = 1 << 16;
        varint(block, out);
        varint(1, out);
        varint(count, out);
        varint(2L * first, out);
        for (int done = 1; done < count; done += block) {
            varint(2L * step, out);
            out.write(0);
        }
        return out.toByteArray();
    }

    private static byte[] deltas(int count, int value) {
        return deltas(count, value, 0);
    }

    private static void varint(long value, ByteArrayOutputStream out) {
        long left = value;
        for (; left > 0x7F; left >>>= 7) {
            out.write((int) (left & 0x7F | 0x80));
        }
        out.write((int) left);
    }

    private static byte[] together(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
