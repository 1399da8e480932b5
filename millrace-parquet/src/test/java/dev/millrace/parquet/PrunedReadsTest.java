package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Source;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What statistics, page indexes, dictionaries and bloom filters rule out is what a filter over all rows rules out, for
/// every type, comparison and test for null, also where they contradict themselves.
class PrunedReadsTest {
    private static final int FILES = Integer.getInteger("millrace.files", 8);
    private static final int DAMAGED = Integer.getInteger("millrace.damaged", 3);
    private static final int FILTERS = 2;

    @TempDir
    static Path folder;

    @BeforeAll
    static void write() {
        Python.environment("test")
                .run(PrunedReadsTest.class, "pruned_columns.py", folder.toString(), "" + Seeds.seed(), "" + FILES);
    }

    @Test
    @Timeout(300)
    void aFilterInsideTheReadGivesTheRowsOfTheSameFilterAfterIt() throws IOException {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        int compared = 0;
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = Files.readAllBytes(folder.resolve(i + ".parquet"));
            for (int j = 0; j < DAMAGED; j++) {
                EditedFile file = new EditedFile(bytes);
                List<Object> elements = file.footer().list(2).values();
                List<MetadataDamage> damages = new ArrayList<>();
                for (int leaf = 0; leaf < elements.size() - 1; leaf++) {
                    MetadataDamage damage = MetadataDamage.values()[random.nextInt(MetadataDamage.values().length)];
                    damages.add(damage);
                    damage.apply(
                            new MetadataDamage.Target(file, leaf, (ThriftTree.Struct) elements.get(leaf + 1), random));
                }
                Path damaged = file.write(folder.resolve("damaged.parquet"));
                compared += compare(damaged, damages, "seed " + seed + ", file " + i + ", damage " + j, random, wrong);
            }
        }
        assertThat(wrong).isEmpty();
        // Filters of which all rows pass, or none does, would show little.
        assertThat(compared).isGreaterThan(FILES * DAMAGED * 10);
    }

    /// Returns how many filters let some rows pass and not all.
    private static int compare(
            Path file, List<MetadataDamage> damages, String where, Random random, List<String> wrong) {
        int telling = 0;
        try (Allocator allocator = Allocator.root("reading", 1L << 28)) {
            Source source = ParquetFiles.source(file);
            List<String> names = source.schema().orElseThrow().names();
            for (int leaf = 0; leaf < names.size(); leaf++) {
                int next = (leaf + 1) % names.size();
                List<String> both = List.of(names.get(leaf), names.get(next));
                Source all = source.project(both).orElseThrow();
                List<Block> blocks = new ArrayList<>();
                try {
                    ParquetFiles.forEachBlock(all, allocator, 1 << 20, block -> blocks.add(block.retain()));
                    long rows = blocks.stream().mapToLong(Block::rows).sum();
                    for (int i = 0; i < FILTERS; i++) {
                        Expression filter = filter(both, blocks, random);
                        List<Object> wanted = passing(blocks, filter, allocator);
                        List<Object> read =
                                read(all.filter(filter).orElseThrow().source(), allocator);
                        if (!read.equals(wanted)) {
                            wrong.add(where + ", " + damages.get(leaf) + " of " + names.get(leaf) + ", "
                                    + damages.get(next) + " of " + names.get(next) + ": " + filter + " gives "
                                    + read.size() + " rows of " + wanted.size());
                        }
                        telling += !wanted.isEmpty() && wanted.size() < rows ? 1 : 0;
                    }
                } finally {
                    blocks.forEach(Block::close);
                }
            }
        }
        return telling;
    }

    private static List<Object> passing(List<Block> blocks, Expression filter, Allocator allocator) {
        List<Object> rows = new ArrayList<>();
        for (Block block : blocks) {
            SelectionVector passing =
                    BoundExpression.bind(filter, block.schema()).select(block, allocator);
            for (int i = 0; i < passing.count(); i++) {
                rows.add(row(block, passing.position(i)));
            }
        }
        return rows;
    }

    private static List<Object> read(Source source, Allocator allocator) {
        List<Object> rows = new ArrayList<>();
        ParquetFiles.forEachBlock(source, allocator, 1 << 20, block -> {
            for (int i = 0; i < block.rows(); i++) {
                rows.add(row(block, i));
            }
        });
        return rows;
    }

    private static List<Object> row(Block block, int row) {
        List<Object> values = new ArrayList<>();
        block.columns().forEach(column -> values.add(ParquetFiles.comparable(column.value(row))));
        return values;
    }

    private static Expression filter(List<String> names, List<Block> blocks, Random random) {
        Expression one = filter(names.getFirst(), blocks, random);
        if (random.nextInt(4) > 0) {
            return one;
        }
        Expression other = filter(names.getLast(), blocks, random);
        return random.nextBoolean() ? one.and(other) : one.or(other);
    }

    private static Expression filter(String name, List<Block> blocks, Random random) {
        Expression column = col(name);
        Object value = value(name, blocks, random);
        Object other = value(name, blocks, random);
        return switch (random.nextInt(11)) {
            case 0 -> column.isNull();
            case 1 -> column.isNotNull();
            case 2 -> column.eq(value);
            case 3 -> column.ne(value);
            case 4 -> column.lt(value);
            case 5 -> column.le(value);
            case 6 -> column.gt(value);
            case 7 -> column.ge(value);
            case 8 -> column.eqNullSafe(random.nextBoolean() ? value : null);
            case 9 -> value == null || other == null ? column.eq(null) : column.isIn(value, other);
            default -> column.eq(value).not();
        };
    }

    /// One that occurs, if there is one.
    private static Object value(String name, List<Block> blocks, Random random) {
        Object value = null;
        for (int i = 0; i < 20 && value == null; i++) {
            Block block = blocks.get(random.nextInt(blocks.size()));
            value = block.column(name).value(random.nextInt((int) block.rows()));
        }
        return value;
    }

    /// As parquet-mr 1.13 wrote it: pages of nulls only in columns that have none.
    @Test
    void anIndexThatTellsOfNullsInAColumnWithoutNullsCostsNoRow() throws IOException {
        int columns = 0;
        for (int i = 0; i < FILES; i++) {
            EditedFile file = new EditedFile(Files.readAllBytes(folder.resolve(i + ".parquet")));
            List<Object> elements = file.footer().list(2).values();
            List<String> required = new ArrayList<>();
            for (int leaf = 0; leaf < elements.size() - 1; leaf++) {
                ThriftTree.Struct element = (ThriftTree.Struct) elements.get(leaf + 1);
                MetadataDamage.Target column = new MetadataDamage.Target(file, leaf, element, new Random(1));
                if (column.isRequired() && column.chunks().allMatch(chunk -> chunk.has(6))) {
                    MetadataDamage.INDEX_OF_NULL_PAGES.apply(column);
                    required.add(element.text(4));
                }
            }
            Path damaged = file.write(folder.resolve("null-pages.parquet"));
            for (String name : required) {
                try (Allocator allocator = Allocator.root("reading", 1L << 28)) {
                    Source source =
                            ParquetFiles.source(damaged).project(List.of(name)).orElseThrow();
                    Source there =
                            source.filter(col(name).isNotNull()).orElseThrow().source();
                    assertThat(read(there, allocator)).as(name).hasSize(600);
                    columns++;
                }
            }
        }
        assertThat(columns).isPositive();
    }
}
