package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.hash;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.type.DataType.BINARY;
import static dev.millrace.type.DataType.FLOAT64;
import static dev.millrace.type.DataType.INT32;
import static dev.millrace.type.DataType.INT64;
import static dev.millrace.type.DataType.UTF8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.Seeds;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Hashes against published values, and signatures against their definition with big integers.
class HashFunctionsTest {
    private static final BigInteger PRIME = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void hashesAreThePublishedOnes() {
        try (BlockOf block = new BlockOf()
                .with("t", UTF8, "", "a", "abc", "Hello, world!", null)
                .with("b", BINARY, bytes(""), bytes("a"), bytes("abc"), bytes("Hello, world!"), null)) {
            assertThat(block.eval(col("t").xxHash64()).subList(0, 3))
                    .isEqualTo(List.of(0xEF46DB3751D8E999L, 0xD24EC4F1A98C6E5BL, 0x44BC2CF5AD770999L));
            assertThat(block.eval(col("t").murmur3()).subList(0, 1)).isEqualTo(List.of(0));
            assertThat(block.eval(col("t").murmur3(0x9747b28c)).subList(0, 4))
                    .isEqualTo(List.of(0xebb6c228, 0x7fa09ea6, 0xc84a62dd, 0x24884cba));
            assertThat(block.eval(col("t").sha512()).get(2))
                    .isEqualTo("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
            assertThat(block.eval(col("b").xxHash64())).isEqualTo(block.eval(col("t").xxHash64()));
            assertThat(block.eval(col("b").murmur3(7))).isEqualTo(block.eval(col("t").murmur3(7)));
            assertThat(block.eval(col("b").sha256())).isEqualTo(block.eval(col("t").sha256()));
            assertThat(block.eval(col("b").md5(), 1, 4)).isEqualTo(block.eval(col("t").md5(), 1, 4));
            assertThat(block.eval(col("t").sha1()).getLast()).isNull();
        }
    }

    @Test
    void equalValuesHaveEqualHashesInAllTypesOfNumbers() {
        try (BlockOf block = new BlockOf()
                .with("i", INT32, 1, 2, null, 1)
                .with("l", INT64, 1L, 2L, null, 3L)
                .with("x", FLOAT64, 1.0, 2.0, null, 1.0)) {
            List<Object> ints = block.eval(hash(col("i")));
            assertThat(block.eval(hash(col("l"))).subList(0, 3)).isEqualTo(ints.subList(0, 3));
            assertThat(block.eval(hash(col("x")))).isEqualTo(ints);
            assertThat(new HashSet<>(ints)).hasSize(3).doesNotContainNull();
            assertThat(block.eval(hash(col("i"), lit(null)))).doesNotContainNull();
            assertThat(block.eval(hash(col("i"), col("l"))).getFirst())
                    .isNotEqualTo(block.eval(hash(col("i"), col("l"))).getLast());
        }
    }

    @Test
    void signaturesAreThoseOfTheDefinition() {
        List<Object> texts = new ArrayList<>(List.of("", "  ", "one", "a b c", " a\tb \n c d "));
        for (int i = 0; i < 60; i++) {
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(12); words > 0; words--) {
                text.append(random.nextInt(4) == 0 ? "\t " : " ").append("w").append(random.nextInt(9));
            }
            texts.add(text.toString());
        }
        texts.add(null);
        for (int words : new int[] {1, 2, 3}) {
            try (BlockOf block = new BlockOf().with("t", UTF8, texts.toArray())) {
                List<Object> actual = block.eval(col("t").minHash(16, words, 42));
                for (int row = 0; row < texts.size() - 1; row++) {
                    assertThat(actual.get(row))
                            .as("minHash of '%s' by %d words, seed %d", texts.get(row), words, seed)
                            .isEqualTo(signature((String) texts.get(row), 16, words, 42));
                }
                assertThat(actual.getLast()).isNull();
                assertThat(block.eval(col("t").minHash(16, words, 42), 3, 9)).isEqualTo(actual.subList(3, 9));
            }
        }
    }

    @Test
    void signaturesEstimateTheSimilarity() {
        Set<Integer> first = new LinkedHashSet<>();
        Set<Integer> second = new LinkedHashSet<>();
        for (int i = 0; i < 300; i++) {
            first.add(i);
            second.add(i + 100);
        }
        try (BlockOf block = new BlockOf().with("t", UTF8, words(first), words(second))) {
            List<Object> both = block.eval(col("t").minHash(512));
            List<?> a = (List<?>) both.get(0);
            List<?> b = (List<?>) both.get(1);
            long equal = 0;
            for (int i = 0; i < 512; i++) {
                equal += a.get(i).equals(b.get(i)) ? 1 : 0;
            }
            // 200 words of 400 are in both; five standard deviations.
            assertThat(equal / 512.0).isBetween(0.39, 0.61);
        }
    }

    @Test
    void badArgumentsAreSentences() {
        assertThatThrownBy(() -> col("t").minHash(0))
                .hasMessageContaining("ask for 1 to 4096 hashes of n-grams of 1 or more words, not for 0 of 1.");
        try (BlockOf block = new BlockOf().with("i", INT32, 1)) {
            assertThatThrownBy(() -> block.eval(col("i").sha256()))
                    .hasMessageContaining("is int32, but sha256 needs a string or binary there. Cast it.");
            assertThatThrownBy(() -> block.eval(col("i").shiftLeft(-1)))
                    .hasMessageContaining("shifts by -1 bits are not possible, in row 0 of the block.");
        }
    }

    private static List<Object> signature(String text, int hashes, int words, long seed) {
        List<String> parts = text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
        List<String> grams = new ArrayList<>();
        if (parts.size() <= words) {
            grams.add(String.join(" ", parts));
        } else {
            for (int i = 0; i + words <= parts.size(); i++) {
                grams.add(String.join(" ", parts.subList(i, i + words)));
            }
        }
        List<Object> least = new ArrayList<>();
        long state = seed;
        for (int i = 0; i < hashes; i++) {
            BigInteger factor = unsigned(mix(state += 0x9E3779B97F4A7C15L)).mod(PRIME);
            BigInteger offset = unsigned(mix(state += 0x9E3779B97F4A7C15L)).mod(PRIME);
            long min = Long.MAX_VALUE;
            for (String gram : grams) {
                long hash = XxHash64Hasher.hash(bytes(gram)) & 0xFFFFFFFFL;
                long value = factor.multiply(BigInteger.valueOf(hash))
                                .add(offset)
                                .mod(PRIME)
                                .longValue()
                        & 0xFFFFFFFFL;
                min = Math.min(min, value);
            }
            least.add(min);
        }
        return least;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static String words(Set<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        numbers.forEach(number -> text.append("w").append(number).append(' '));
        return text.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
