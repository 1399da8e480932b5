package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.testing.RandomBlocks;
import dev.millrace.testing.Seeds;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is written comes back: random schemas, values, slices, formats and compressions.
class IpcRoundTripTest {
    private static final int ROUNDS = 300;

    @TempDir
    Path folder;

    private Allocator allocator;

    @BeforeEach
    void open() {
        allocator = Allocator.root("round trip", 1L << 30);
    }

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void randomBlocksComeBackAsTheyWere() throws IOException {
        long seed = Seeds.seed();
        for (int round = 0; round < ROUNDS; round++) {
            try {
                roundTrip(seed + round);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + (seed + round), e);
            }
        }
    }

    private void roundTrip(long seed) throws IOException {
        Random random = new Random(seed);
        RandomBlocks blocks = new RandomBlocks(seed);
        Schema schema = blocks.schema();
        IpcCompression compression = IpcCompression.values()[random.nextInt(3)];
        List<Block> originals = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            int rows = random.nextInt(random.nextBoolean() ? 20 : 300);
            try (Block whole = blocks.block(schema, rows, allocator)) {
                long from = random.nextInt(rows + 1);
                originals.add(whole.slice(from, random.nextInt((int) (rows - from) + 1)));
            }
        }
        List<List<String>> expected =
                originals.stream().map(IpcRoundTripTest::values).toList();
        assertThat(stream(schema, originals, compression))
                .as("stream, %s", compression)
                .isEqualTo(expected);
        assertThat(memory(schema, originals, compression))
                .as("memory, %s", compression)
                .isEqualTo(expected);
        assertThat(file(schema, originals, compression))
                .as("file, %s", compression)
                .isEqualTo(expected);
        originals.forEach(Block::close);
    }

    private List<List<String>> stream(Schema schema, List<Block> blocks, IpcCompression compression)
            throws IOException {
        Path path = folder.resolve("stream");
        try (IpcWriter writer = IpcWriter.stream(Files.newOutputStream(path), schema, compression, allocator)) {
            blocks.forEach(writer::write);
        }
        try (IpcReader reader = IpcReader.of(Files.newByteChannel(path), allocator)) {
            assertThat(reader.schema()).isEqualTo(schema);
            return values(reader);
        }
    }

    private List<List<String>> memory(Schema schema, List<Block> blocks, IpcCompression compression) {
        Buffer bytes = IpcWriter.toBuffer(schema, blocks, compression, allocator);
        try (IpcReader reader = IpcReader.of(bytes, allocator)) {
            bytes.release(); // the reader and its blocks hold it
            return values(reader);
        }
    }

    private List<List<String>> file(Schema schema, List<Block> blocks, IpcCompression compression) {
        Path path = folder.resolve("file");
        try (IpcWriter writer = IpcWriter.file(path, schema, compression, allocator)) {
            blocks.forEach(writer::write);
        }
        List<List<String>> read = new ArrayList<>();
        try (IpcFile opened = IpcFile.open(path, allocator);
                IpcFile mapped = IpcFile.map(path, allocator)) {
            assertThat(opened.schema()).isEqualTo(schema);
            for (int i = 0; i < opened.batches(); i++) {
                try (Block fromFile = opened.read(i);
                        Block view = mapped.read(i)) {
                    read.add(values(fromFile));
                    assertThat(values(view)).isEqualTo(read.getLast());
                }
            }
        }
        return read;
    }

    private static List<List<String>> values(IpcReader reader) {
        List<List<String>> values = new ArrayList<>();
        for (Block block = reader.next(); block != null; block = reader.next()) {
            values.add(values(block));
            block.close();
        }
        return values;
    }

    private static List<String> values(Block block) {
        return block.columns().stream().map(CanonicalValues::of).toList();
    }
}
