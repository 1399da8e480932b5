package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// One case of a property test of a kernel: chance, memory of its own, and what is said of it when it fails.
///
/// Cases begin with no rows and grow, so that the first one that fails is about the smallest. The failure names the
/// kernel, the seed (for `-Dmillrace.seed`), the case, and what the body said by [#about]. Memory that a case holds at
/// its end is a failure too.
public final class RandomCase {
    private static final long LIMIT = 1L << 30;
    private static final int COUNTED = 6;

    private final Random random;
    private final RandomValues values;
    private final Allocator allocator;
    private final int rows;
    private final List<String> about = new ArrayList<>();

    private RandomCase(long seed, Allocator allocator, int number, int cases, int mostRows) {
        this.random = new Random(seed);
        this.values = new RandomValues(random);
        this.allocator = allocator;
        this.rows = number < COUNTED
                ? Math.min(number, mostRows)
                : random.nextInt(2 + (int) ((long) mostRows * number / cases));
    }

    /// What is done in each case.
    public interface Body {
        void run(RandomCase each) throws Exception;
    }

    /// Runs so many cases.
    ///
    /// @param kernel what a failure calls what is tested
    public static void check(String kernel, int cases, int mostRows, Body body) {
        long seed = Seeds.seed();
        Allocator root = Allocator.root(kernel, LIMIT);
        for (int number = 0; number < cases; number++) {
            Allocator allocator = root.child("case " + number);
            RandomCase each = new RandomCase(seed * 1_000_003 + number, allocator, number, cases, mostRows);
            try {
                body.run(each);
                allocator.close();
            } catch (Exception | Error e) {
                throw new AssertionError(
                        kernel + " is wrong: seed " + seed + ", case " + number + " of " + cases + ", "
                                + String.join("; ", each.about) + ": " + e.getMessage(),
                        e);
            }
        }
        root.close();
    }

    public Random random() {
        return random;
    }

    public Allocator allocator() {
        return allocator;
    }

    /// How many rows the case should have.
    public int rows() {
        return rows;
    }

    /// Adds to what a failure says of the case.
    public void about(String what) {
        about.add(what);
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /// True in one of `times` cases.
    public boolean rarely(int times) {
        return random.nextInt(times) == 0;
    }

    /// Values of a type, of which few are different: small numbers, or numbers from one end of the type to the other
    /// with NaN, both zeros and infinity; without nulls, with some, or with nulls alone.
    public List<Object> values(DataType type, int count) {
        return values(type, count, random.nextBoolean());
    }

    /// @param small no number is far from zero, or special
    public List<Object> values(DataType type, int count, boolean small) {
        List<Object> pool = new ArrayList<>();
        for (int i = 1 + random.nextInt(random.nextBoolean() ? 4 : 40); i > 0; i--) {
            pool.add(value(type, small));
        }
        int nulls = oneOf(List.of(0, 0, 3, 3, 10));
        nulls = nulls == 10 && random.nextInt(3) > 0 ? 1 : nulls;
        List<Object> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(random.nextInt(10) < nulls ? null : pool.get(random.nextInt(pool.size())));
        }
        return made;
    }

    /// The same, where about half of them are some of the others, as far as the type has them.
    public List<Object> valuesLike(DataType type, int count, List<Object> others) {
        List<Object> made = values(type, count);
        for (int i = 0; i < count && !others.isEmpty(); i++) {
            Object value = oneOf(others);
            if (value == null || random.nextBoolean()) {
                continue;
            }
            try {
                Column one = Columns.of(allocator, type, List.of(value));
                made.set(i, one.value(0));
                one.release();
            } catch (MillraceException _) {
                // There is no such value of the type.
            }
        }
        return made;
    }

    private Object value(DataType type, boolean small) {
        return switch (type) {
            case DataType.Int integer -> integer(integer, small);
            case DataType.Float(int bits) -> bits == 64 ? (Object) real(small) : (Object) (float) real(small);
            case DataType.Decimal decimal -> decimal(decimal, small);
            case DataType.Dictionary dictionary -> value(dictionary.value(), small);
            default -> values.value(type);
        };
    }

    private Object integer(DataType.Int type, boolean small) {
        BigInteger least =
                type.signed() ? BigInteger.ONE.shiftLeft(type.bits() - 1).negate() : BigInteger.ZERO;
        BigInteger most = BigInteger.ONE.shiftLeft(type.bits()).add(least).subtract(BigInteger.ONE);
        BigInteger value = switch (small ? 9 : random.nextInt(8)) {
            case 0 -> least;
            case 1 -> most;
            case 2 ->
                BigInteger.ONE.shiftLeft(Math.min(53, type.bits() - 2)).add(BigInteger.valueOf(random.nextInt(3)));
            case 3, 4 -> new BigInteger(type.bits(), random).add(least);
            default -> BigInteger.valueOf(type.signed() ? random.nextInt(-6, 7) : random.nextInt(13));
        };
        return type.signed() || type.bits() < 64 ? (Object) value.longValueExact() : (Object) value;
    }

    private double real(boolean small) {
        return switch (small ? 9 : random.nextInt(10)) {
            case 0 -> Double.NaN;
            case 1 -> 0.0;
            case 2 -> -0.0;
            case 3 -> Double.POSITIVE_INFINITY;
            case 4 -> Double.NEGATIVE_INFINITY;
            case 5 -> random.nextInt(2048);
            default -> random.nextInt(-20, 21) / 4.0;
        };
    }

    private Object decimal(DataType.Decimal type, boolean small) {
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        BigInteger unscaled = switch (small ? 9 : random.nextInt(6)) {
            case 0 -> limit.subtract(BigInteger.ONE);
            case 1 -> BigInteger.ONE.subtract(limit);
            case 2 -> new BigInteger(limit.bitLength() - 1, random);
            default -> BigInteger.valueOf(random.nextInt(-40, 41));
        };
        return new BigDecimal(unscaled, type.scale());
    }

    /// A column of these values, often a slice of a longer one; the caller releases it.
    public Column column(DataType type, List<Object> of) {
        return values.column(allocator, type, of);
    }

    /// A block of these columns, which the caller closes.
    public Block block(List<Field> fields, List<List<Object>> columns) {
        List<Column> made = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            made.add(column(fields.get(i).type(), columns.get(i)));
        }
        return Block.of(
                Schema.of(fields),
                made,
                columns.isEmpty() ? 0 : columns.getFirst().size());
    }

    /// The rows of a block in pieces, cut anywhere, some of them empty; at least one, which the caller closes.
    public List<Block> pieces(Block block, int most) {
        List<Block> pieces = new ArrayList<>();
        long from = 0;
        int cuts = random.nextInt(most);
        for (int i = 0; i < cuts; i++) {
            long count = random.nextInt(5) == 0 ? 0 : random.nextLong(block.rows() - from + 1);
            pieces.add(block.slice(from, count));
            from += count;
        }
        pieces.add(block.slice(from, block.rows() - from));
        return pieces;
    }
}
