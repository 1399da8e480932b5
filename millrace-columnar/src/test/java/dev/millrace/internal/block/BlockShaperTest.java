package dev.millrace.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.column.Columns;
import dev.millrace.column.LongColumn;
import dev.millrace.column.RandomValues;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BlockShaperTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    private Block longs(long from, int count) {
        long[] values = LongStream.range(from, from + count).toArray();
        return Block.of(Schema.of("id", DataType.INT64), List.of(Columns.ofLongs(memory.allocator(), values)), count);
    }

    private static List<Block> drain(BlockShaper shaper) {
        List<Block> blocks = new ArrayList<>();
        for (Block block = shaper.poll(); block != null; block = shaper.poll()) {
            blocks.add(block);
        }
        return blocks;
    }

    @Test
    void aChunkThatIsABlockPassesWithoutACopy() {
        try (BlockShaper shaper = BlockShaper.toBytes(memory.allocator(), 800)) {
            Block chunk = longs(0, 120);
            long address = ((LongColumn) chunk.column(0)).values().address();
            shaper.add(chunk);
            Block block = shaper.poll();
            assertThat(((LongColumn) block.column(0)).values().address()).isEqualTo(address);
            assertThat(shaper.poll()).isNull();
            block.close();
        }
    }

    @Test
    void chunksCollectUntilTheyPassTheTarget() {
        try (BlockShaper shaper = BlockShaper.toBytes(memory.allocator(), 800)) {
            shaper.add(longs(0, 50));
            assertThat(shaper.poll()).isNull();
            shaper.add(longs(50, 50));
            assertThat(shaper.poll()).isNull();
            shaper.add(longs(100, 50));
            Block block = shaper.poll();
            assertThat(block.rows()).isEqualTo(150);
            block.close();
            shaper.finish();
            assertThat(shaper.poll()).isNull();
        }
    }

    @Test
    void aBlockIsCutOnlyAboveOneAndAHalfTargets() {
        try (BlockShaper shaper = BlockShaper.toBytes(memory.allocator(), 800)) {
            shaper.add(longs(0, 151));
            List<Block> blocks = drain(shaper);
            assertThat(blocks).extracting(Block::rows).containsExactly(100L);
            shaper.finish();
            blocks.addAll(drain(shaper));
            assertThat(blocks).extracting(Block::rows).containsExactly(100L, 51L);
            blocks.forEach(Block::close);
        }
    }

    @Test
    void aRowLargerThanTheTargetIsABlockOfItsOwn() {
        try (BlockShaper shaper = BlockShaper.toBytes(memory.allocator(), 10);
                BlockBuilder builder = new BlockBuilder(memory.allocator(), Schema.of("s", DataType.UTF8), 4)) {
            builder.append("x".repeat(100));
            builder.append("y".repeat(200));
            builder.append("z");
            shaper.add(builder.build());
            shaper.finish();
            List<Block> blocks = drain(shaper);
            assertThat(blocks).extracting(Block::rows).containsExactly(1L, 1L, 1L);
            blocks.forEach(Block::close);
        }
    }

    @Test
    void rowsPerBlockAreExact() {
        try (BlockShaper shaper = BlockShaper.toRows(memory.allocator(), 4)) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                shaper.add(longs(2L * i, 2));
                blocks.addAll(drain(shaper));
            }
            shaper.finish();
            blocks.addAll(drain(shaper));
            assertThat(blocks).extracting(Block::rows).containsExactly(4L, 4L, 2L);
            blocks.forEach(Block::close);
        }
    }

    private List<Long> counted(BlockShaper shaper, int chunks, int rowsOfChunk) {
        List<Long> rows = new ArrayList<>();
        long next = 0;
        try (shaper) {
            for (int i = 0; i <= chunks; i++) {
                if (i == chunks) {
                    shaper.finish();
                } else {
                    shaper.add(longs((long) i * rowsOfChunk, rowsOfChunk));
                }
                for (Block block : drain(shaper)) {
                    assertThat(((LongColumn) block.column(0)).get(0)).isEqualTo(next);
                    next += block.rows();
                    rows.add(block.rows());
                    block.close();
                }
            }
        }
        assertThat(next).isEqualTo((long) chunks * rowsOfChunk);
        return rows;
    }

    @Test
    void soManyBlocksAsAskedForAreMadeOfAllRows() {
        assertThat(counted(BlockShaper.toCount(memory.allocator(), 800, 4, 0, -1), 5, 2))
                .containsExactly(3L, 3L, 2L, 2L);
        assertThat(counted(BlockShaper.toCount(memory.allocator(), 800, 4, 0, -1), 3, 1))
                .as("no block without rows")
                .containsExactly(1L, 1L, 1L);
        assertThat(counted(BlockShaper.toCount(memory.allocator(), 800, 3, 0, 1_000), 20, 50))
                .as("of known rows as many, up to the largest block")
                .hasSizeGreaterThan(3)
                .allSatisfy(rows -> assertThat(rows).isLessThanOrEqualTo(150));
        assertThat(counted(BlockShaper.toCount(memory.allocator(), 800, 16, 0, 1_000), 20, 50))
                .hasSize(16)
                .allSatisfy(rows -> assertThat(rows).isBetween(62L, 63L));
        assertThat(counted(BlockShaper.toCount(memory.allocator(), 800, 16, 8_000, -1), 20, 50))
                .as("of rows that are only estimated, where the estimate is right")
                .hasSize(16);
        assertThat(counted(BlockShaper.toCount(memory.allocator(), 800, 16, 12_000, -1), 20, 50))
                .as("and where it is too large: the rest is cut into what is missing")
                .hasSize(16);
    }

    @Test
    void chunksOfDifferentSchemasComeOutUnderTheCommonOne() {
        try (BlockShaper shaper = BlockShaper.toBytes(memory.allocator(), 1 << 20)) {
            shaper.add(longs(1, 1));
            shaper.add(Block.of(
                    Schema.of("id", DataType.FLOAT64, "name", DataType.UTF8),
                    List.of(Columns.ofDoubles(memory.allocator(), 2.5), Columns.ofStrings(memory.allocator(), "b")),
                    1));
            shaper.finish();
            Block block = shaper.poll();
            assertThat(block.schema().toString()).isEqualTo("id: float64, name: utf8");
            assertThat(RandomValues.valuesOf(block.column(0))).containsExactly(1.0, 2.5);
            assertThat(RandomValues.valuesOf(block.column(1))).containsExactly(null, "b");
            block.close();
        }
    }

    @Test
    void aClashOfSchemasNamesTheColumnAndBothTypes() {
        try (BlockShaper shaper = BlockShaper.toBytes(memory.allocator(), 1 << 20)) {
            shaper.add(longs(1, 1));
            Block strings =
                    Block.of(Schema.of("id", DataType.UTF8), List.of(Columns.ofStrings(memory.allocator(), "b")), 1);
            assertThatThrownBy(() -> shaper.add(strings))
                    .hasMessageStartingWith("Column 'id' is int64 in one place and utf8 in another");
        }
    }

    @Test
    void aSmallPieceOfALargeChunkDoesNotKeepTheChunkAlive() {
        try (BlockShaper shaper = BlockShaper.toRows(memory.allocator(), 10)) {
            Block large = longs(0, 1_000_000);
            shaper.add(large.slice(500, 10));
            large.close();
            Block block = shaper.poll();
            assertThat(block.heldBytes()).isLessThan(1 << 10);
            block.close();
        }
    }

    @RepeatedTest(40)
    void rowsInAreRowsOutInOrder(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        Schema schema = Schema.of(
                new Field("a", values.type(2)), new Field("b", DataType.UTF8), new Field("id", DataType.INT64));
        boolean byRows = random.nextBoolean();
        long target = byRows ? 1 + random.nextInt(60) : 1 + random.nextInt(5000);
        List<List<Object>> expected = new ArrayList<>();
        List<Block> blocks = new ArrayList<>();
        try (BlockShaper shaper = byRows
                ? BlockShaper.toRows(memory.allocator(), target)
                : BlockShaper.toBytes(memory.allocator(), target)) {
            for (int i = random.nextInt(20); i > 0; i--) {
                shaper.add(randomChunk(schema, values, random.nextInt(80), expected));
                if (random.nextBoolean()) {
                    blocks.addAll(drain(shaper));
                }
            }
            shaper.finish();
            blocks.addAll(drain(shaper));
            assertThat(shaper.pendingRows()).isZero();
            assertThat(shaper.pendingBytes()).isZero();
        }
        assertThat(rows(blocks)).as("seed " + seed).isEqualTo(expected);
        for (int i = 0; i < blocks.size(); i++) {
            if (byRows) {
                assertThat(blocks.get(i).rows())
                        .isEqualTo(
                                i < blocks.size() - 1
                                        ? target
                                        : blocks.getLast().rows());
            } else {
                Block block = blocks.get(i);
                assertThat(block.rows() == 1 || block.sizeBytes() <= 1.5 * target + 64)
                        .as("seed " + seed)
                        .isTrue();
            }
        }
        blocks.forEach(Block::close);
    }

    private Block randomChunk(Schema schema, RandomValues values, int rows, List<List<Object>> expected) {
        try (BlockBuilder builder = new BlockBuilder(memory.allocator(), schema, rows)) {
            for (int i = 0; i < rows; i++) {
                Object[] row = {
                    values.values(schema.field(0).type(), 1, true).getFirst(),
                    values.value(DataType.UTF8),
                    (long) expected.size()
                };
                expected.add(RandomValues.comparable(Arrays.asList(row)));
                builder.append(row);
            }
            return builder.build();
        }
    }

    private static List<List<Object>> rows(List<Block> blocks) {
        List<List<Object>> rows = new ArrayList<>();
        for (Block block : blocks) {
            for (long i = 0; i < block.rows(); i++) {
                long row = i;
                rows.add(RandomValues.comparable(block.columns().stream()
                        .map(column -> column.value(row))
                        .collect(ArrayList::new, List::add, List::addAll)));
            }
        }
        return rows;
    }

    @Test
    void theRuleOfBlocksByBytesIsThatOfTheShaper() {
        assertThat(BlockShaper.rowsOfBlock(10, 100, 100, false)).isEqualTo(Long.MAX_VALUE);
        assertThat(BlockShaper.rowsOfBlock(11, 110, 100, false)).isEqualTo(11);
        assertThat(BlockShaper.rowsOfBlock(15, 150, 100, false)).isEqualTo(15);
        assertThat(BlockShaper.rowsOfBlock(16, 160, 100, false)).isEqualTo(10);
        assertThat(BlockShaper.rowsOfBlock(1, 160, 100, false)).isEqualTo(1);
        assertThat(BlockShaper.rowsOfBlock(2, 13, 100, true)).isEqualTo(2);
        assertThat(BlockShaper.rowsOfBlock(1, 12, 100, true)).isEqualTo(Long.MAX_VALUE);
        assertThat(BlockShaper.rowsOfBlock(0, 0, 100, true)).isEqualTo(Long.MAX_VALUE);
    }
}
