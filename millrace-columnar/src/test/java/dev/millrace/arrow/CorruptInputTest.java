package dev.millrace.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.testing.RandomBlocks;
import dev.millrace.testing.Seeds;
import dev.millrace.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Bytes changed at random, cut off, or overwritten with large numbers: reading ends in a data error or in values, and
/// never in a crash, a leak or a hang.
class CorruptInputTest {
    private static final int MUTATIONS = 3_000;
    private static final long MEMORY = 256L << 20;

    @ParameterizedTest
    @EnumSource(IpcCompression.class)
    void corruptInputEndsInADataErrorOrInValues(IpcCompression compression) {
        long seed = Seeds.seed();
        assertTimeoutPreemptively(Duration.ofSeconds(100), () -> {
            int refused = 0;
            for (int i = 0; i < MUTATIONS; i++) {
                try (Allocator allocator = Allocator.root("corrupt", MEMORY)) {
                    refused += readMutated(seed + i, compression, allocator) ? 1 : 0;
                } catch (RuntimeException | Error e) {
                    throw new AssertionError("seed " + (seed + i), e);
                }
            }
            assertThat(refused).isGreaterThan(MUTATIONS / 10);
        });
    }

    /// True when the input was refused.
    private static boolean readMutated(long seed, IpcCompression compression, Allocator allocator) {
        Random random = new Random(seed);
        boolean file = random.nextBoolean();
        byte[] bytes = mutate(bytes(seed, compression, file, allocator), random);
        try {
            if (file) {
                readFile(bytes, allocator);
            } else if (random.nextBoolean()) {
                readMemory(bytes, allocator);
            } else {
                try (IpcReader reader = IpcReader.of(new ByteArrayInputStream(bytes), allocator)) {
                    readAll(reader);
                }
            }
            return false;
        } catch (MillraceException e) {
            // A stream's length is not known: a corrupt one may ask for more memory than there is.
            assertThat(e.culprit()).as(e.getMessage()).isIn(Culprit.DATA, Culprit.RESOURCES);
            assertThat(e.getMessage()).isNotBlank();
            return true;
        }
    }

    private static byte[] bytes(long seed, IpcCompression compression, boolean file, Allocator allocator) {
        RandomBlocks blocks = new RandomBlocks(seed);
        Schema schema = blocks.schema();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Block block = blocks.block(schema, 40, allocator);
                IpcWriter writer = file
                        ? IpcWriter.file(Channels.newChannel(out), schema, compression, allocator)
                        : IpcWriter.stream(out, schema, compression, allocator)) {
            writer.write(block);
        }
        return out.toByteArray();
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        if (random.nextInt(8) == 0) {
            return Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            if (random.nextBoolean()) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            } else {
                long[] numbers = {
                    -1, 0, 1, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40, random.nextLong()
                };
                int at = random.nextInt(Math.max(1, bytes.length - 8)) & ~3;
                ByteBuffer.wrap(bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(at, numbers[random.nextInt(numbers.length)]);
            }
        }
        return bytes;
    }

    private static void readMemory(byte[] bytes, Allocator allocator) {
        Buffer memory = copy(bytes, allocator);
        try (IpcReader reader = IpcReader.of(memory, allocator)) {
            readAll(reader);
        } finally {
            memory.release();
        }
    }

    private static void readFile(byte[] bytes, Allocator allocator) {
        Buffer memory = copy(bytes, allocator);
        try (IpcFile file = IpcFile.of(memory, allocator)) {
            for (int i = 0; i < file.batches(); i++) {
                try (Block block = file.read(i)) {
                    touch(block);
                }
            }
        } finally {
            memory.release();
        }
    }

    private static Buffer copy(byte[] bytes, Allocator allocator) {
        Buffer memory = allocator.allocate(bytes.length);
        memory.segment().copyFrom(MemorySegment.ofArray(bytes));
        return memory;
    }

    private static void readAll(IpcReader reader) {
        for (Block block = reader.next(); block != null; block = reader.next()) {
            try (Block held = block) {
                touch(held);
            }
        }
    }

    /// Looks at every value: what was let through must not point outside its memory.
    private static void touch(Block block) {
        for (Column column : block.columns()) {
            column.sizeBytes();
            for (long i = 0; i < Math.min(block.rows(), 1_000); i++) {
                try {
                    column.value(i);
                } catch (DateTimeException | ArithmeticException _) {
                    // No such time of day: a value, though an odd one.
                }
            }
        }
    }
}
