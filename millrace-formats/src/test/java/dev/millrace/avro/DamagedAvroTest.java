package dev.millrace.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.avro.AvroFormat;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.testing.BytesRange;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Mutations;
import dev.millrace.testing.Python;
import dev.millrace.testing.Reads;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files of fastavro, damaged, read whole and in parts. The markers between blocks are what a part finds its first
/// block by.
class DamagedAvroTest {
    private static final int MARKER_BYTES = 16;

    @TempDir
    static Path given;

    @TempDir
    Path folder;

    @BeforeAll
    static void write() {
        Python.environment("formats").run(AvroTest.class, "containers.py", "write", given.toString());
    }

    @Test
    void damagedFilesEndInRowsOrInADataError() throws IOException {
        int read = new Fuzz(Reads.smallFiles(given, ".avro"), folder, ".avro")
                .run(
                        Fuzz.runs(500),
                        (file, allocator) -> Reads.drain(
                                FileSource.of(List.of(file.toString()), new AvroFormat(), FileReads.defaults()),
                                allocator));
        assertThat(read).isPositive();
    }

    @Test
    void partsOfFilesWithDamagedMarkersLoseAndDoubleNoRowInSilence() throws IOException {
        new Fuzz(Reads.smallFiles(given, ".avro"), folder, ".avro")
                .damage(DamagedAvroTest::markers)
                .run(Fuzz.runs(500), DamagedAvroTest::readInParts);
    }

    @Test
    void aCutInsideAMarkerLosesNoBlock() throws Exception {
        byte[] bytes = Files.readAllBytes(given.resolve("deflate.avro"));
        BytesRange whole = BytesRange.whole("deflate.avro", bytes);
        List<Integer> places = markers(bytes);
        assertThat(places).hasSizeGreaterThan(3);
        try (Allocator allocator = Allocator.root("test", 64 << 20)) {
            ReadContext context = new ReadContext(allocator, 10_000);
            Schema schema = new AvroFormat().schema(whole, context);
            for (int place : List.of(places.getFirst(), places.get(2))) {
                for (long cut = place - 2L; cut < place + MARKER_BYTES + 2; cut++) {
                    long before = rows(new BytesRange("deflate.avro", bytes, 0, cut, 999), schema, context);
                    long behind = rows(new BytesRange("deflate.avro", bytes, cut, bytes.length, 999), schema, context);
                    assertThat(before + behind).as("cut at " + cut).isEqualTo(2000);
                }
            }
        }
    }

    /// One block is broken by what is done to it: whole and in parts, the rows of all others are read.
    @ParameterizedTest
    @CsvSource({"deflate.avro, 2000", "null.avro, 2000"})
    void aBrokenBlockCostsItself(String name, int all) throws Exception {
        byte[] written = Files.readAllBytes(given.resolve(name));
        everyBlockBroken(name, written, all);
        // A marker may be anything: the head of an empty block, too.
        byte[] other = written.clone();
        for (int place : markers(written)) {
            for (int i = 0; i < MARKER_BYTES; i++) {
                other[place + i] = (byte) (i == 0 ? 0 : 2 * i);
            }
        }
        everyBlockBroken(name, other, all);
    }

    private static void everyBlockBroken(String name, byte[] bytes, int all) throws Exception {
        List<Integer> places = markers(bytes);
        assertThat(places).hasSizeGreaterThan(3);
        try (Allocator allocator = Allocator.root("test", 64 << 20)) {
            ReadContext context = new ReadContext(allocator, 1 << 20);
            Schema schema = new AvroFormat().schema(BytesRange.whole(name, bytes), context);
            for (int i = 1; i < Math.min(5, places.size()); i++) {
                int begin = places.get(i - 1) + MARKER_BYTES;
                int end = places.get(i);
                long lost =
                        all - rows(joined(bytes, begin, end + MARKER_BYTES), begin, schema, context, new ArrayList<>());
                assertThat(lost).isPositive();
                byte[] marker = bytes.clone();
                marker[end + 3] ^= 4;
                byte[] head = bytes.clone();
                Arrays.fill(head, begin, begin + 11, (byte) 0xFF);
                byte[] inside = bytes.clone();
                Arrays.fill(inside, (begin + end) / 2, end, (byte) 0xFF);
                byte[] twice = joined(bytes, end + MARKER_BYTES, end);
                for (byte[] damaged : List.of(marker, head, inside)) {
                    List<String> errors = new ArrayList<>();
                    assertThat(rows(damaged, end, schema, context, errors)).isEqualTo(all - lost);
                    assertThat(errors).singleElement().asString().contains("byte " + begin);
                }
                assertThat(rows(twice, end, schema, context, new ArrayList<>())).isEqualTo(all);
            }
        }
    }

    /// The rows that can be had, of the whole and of parts that are cut near a place.
    private static long rows(byte[] bytes, int place, Schema schema, ReadContext context, List<String> errors)
            throws Exception {
        long whole = tolerantRows(BytesRange.whole("some.avro", bytes), schema, context, errors);
        for (int cut : new int[] {place - 7, place + 1, place + MARKER_BYTES, place + MARKER_BYTES + 3}) {
            if (cut < bytes.length) {
                BytesRange first = new BytesRange("some.avro", bytes, 0, cut, 999);
                BytesRange second = new BytesRange("some.avro", bytes, cut, bytes.length, 999);
                long parts = tolerantRows(first, schema, context, new ArrayList<>())
                        + tolerantRows(second, schema, context, new ArrayList<>());
                assertThat(parts).as("cut at " + cut).isEqualTo(whole);
            }
        }
        return whole;
    }

    private static long tolerantRows(BytesRange range, Schema schema, ReadContext context, List<String> errors)
            throws Exception {
        long rows = 0;
        try (SplitReader reader = new AvroFormat().open(range, WantedColumns.all(schema), context)) {
            boolean more = true;
            while (more) {
                try (Block block = reader.next()) {
                    more = block != null;
                    rows += more ? block.rows() : 0;
                } catch (MillraceException e) {
                    errors.add(e.getMessage());
                    more = reader.skipBroken();
                }
            }
        }
        return rows;
    }

    /// Changes, cuts, doubles or moves one of the file's markers; now and then something else too.
    private static byte[] markers(Mutations mutations, byte[] original, byte[] other) {
        List<Integer> places = markers(original);
        if (places.isEmpty()) {
            return mutations.damage(original, other);
        }
        int at = mutations.pick(places);
        byte[] bytes = original.clone();
        switch (mutations.below(5)) {
            case 0 -> bytes[at + mutations.below(MARKER_BYTES)] ^= (byte) (1 << mutations.below(8));
            case 1 -> Arrays.fill(bytes, at, at + MARKER_BYTES, (byte) 0);
            case 2 -> bytes = joined(bytes, at, at + 1 + mutations.below(MARKER_BYTES));
            case 3 -> bytes = joined(bytes, at + MARKER_BYTES, at + mutations.below(MARKER_BYTES));
            default ->
                System.arraycopy(original, at, bytes, mutations.below(bytes.length - MARKER_BYTES), MARKER_BYTES);
        }
        return mutations.below(4) == 0 ? mutations.damage(bytes, other) : bytes;
    }

    private static byte[] joined(byte[] bytes, int end, int rest) {
        byte[] all = Arrays.copyOf(bytes, end + bytes.length - rest);
        System.arraycopy(bytes, rest, all, end, bytes.length - rest);
        return all;
    }

    /// Where the last 16 bytes of a file stand in it.
    private static List<Integer> markers(byte[] bytes) {
        List<Integer> places = new ArrayList<>();
        int last = bytes.length - MARKER_BYTES;
        for (int at = 0; at <= last; at++) {
            if (Arrays.equals(bytes, at, at + MARKER_BYTES, bytes, last, bytes.length)) {
                places.add(at);
            }
        }
        return places;
    }

    /// All parts must give as many rows as the whole file does, and one of them an error where that gives one.
    private static void readInParts(Path file, Allocator allocator) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        BytesRange whole = BytesRange.whole(file.toString(), bytes);
        ReadContext context = new ReadContext(allocator, 10_000);
        Schema schema = new AvroFormat().schema(whole, context);
        long expected = -1;
        try {
            expected = rows(whole, schema, context);
        } catch (MillraceException _) {
            // Then some part cannot be read either.
        }
        Random random = new Random(Arrays.hashCode(bytes));
        int[] cuts =
                random.ints(1 + random.nextInt(6), 0, bytes.length).sorted().toArray();
        long rows = 0;
        long from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            long to = i == cuts.length ? bytes.length : cuts[i];
            rows += rows(new BytesRange(file.toString(), bytes, from, to, 1 + random.nextInt(5000)), schema, context);
            from = to;
        }
        assertThat(rows).as("rows of parts cut at " + Arrays.toString(cuts)).isEqualTo(expected);
    }

    private static long rows(BytesRange range, Schema schema, ReadContext context) throws Exception {
        long rows = 0;
        try (SplitReader reader = new AvroFormat().open(range, WantedColumns.all(schema), context)) {
            for (Block block = reader.next(); block != null; block = reader.next()) {
                try (Block open = block) {
                    rows += open.rows();
                }
            }
        }
        return rows;
    }
}
