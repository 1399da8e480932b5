package dev.millrace.internal.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.internal.wording.DisplayWidth;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableTextTest {
    private static final String LONG =
            "the quick brown fox jumps over the lazy dog, ".repeat(10).strip();

    private static String table(int width, boolean folds, Row... rows) {
        return TableText.of(List.of(rows), Optional.empty(), new TableText.Layout(width, folds, false));
    }

    @Test
    void oneLongColumnGetsAllTheWidthThatTheOthersLeave() {
        for (int width : new int[] {60, 80, 200}) {
            List<String> lines = table(width, true, Row.of("id", 1L, "text", LONG, "zone", "north"))
                    .lines()
                    .toList();
            assertThat(lines).hasSize(3).allMatch(line -> line.length() <= width);
            assertThat(lines.get(2))
                    .startsWith(" 1  the quick brown fox")
                    .endsWith("...  north")
                    .hasSize(width);
        }
        assertThat(table(1_000, true, Row.of("id", 1L, "text", LONG))).contains(LONG);
    }

    @Test
    void columnsThatDoNotFitFollowBelow() {
        assertThat(table(30, true, Row.of("first", 1234567890123L, "second", 9876543210123L, "third", "x")))
                .isEqualTo("""
                                first         second
                        -------------  -------------
                        1234567890123  9876543210123

                        third
                        -----
                        x\
                        """);
    }

    @Test
    void whereNothingIsFoldedEachRowIsOneLine() {
        Row wide = Row.of("a", LONG, "b", LONG, "c", LONG, "d", LONG, "e", LONG);
        assertThat(table(120, false, wide, wide).lines())
                .hasSize(4)
                .last()
                .satisfies(line -> assertThat(line).hasSize(5 * 40 + 4 * 2));
    }

    @Test
    void numbersAreNeverCut() {
        assertThat(table(20, true, Row.of("n", 1234567890123456789L, "x", -1.2345678901234568E-300)))
                .contains("1234567890123456789", "-1.2345678901234568E-300");
    }

    @Test
    void tensorsShowTheirNumbersAndWhereTheyAreManyTheirShape() {
        assertThat(CellText.of(Tensor.of(new float[] {0, 1, 0.1f, 2.5e-7f, 1234567, Float.NaN}, 2, 3)))
                .isEqualTo("[[0, 1, 0.1], [2.5E-7, 1.235E+6, NaN]]");
        assertThat(CellText.of(Tensor.of(new long[] {-1, 7}, 2))).isEqualTo("[-1, 7]");
        assertThat(CellText.of(Tensor.ofUnsigned(new byte[] {-1}, 1, 1))).isEqualTo("[[255]]");
        assertThat(CellText.of(Tensor.of(new int[] {}, 0, 3))).isEqualTo("[]");
        String image = CellText.of(Tensor.ofUnsigned(new byte[224 * 224 * 3], 224, 224, 3));
        assertThat(image)
                .startsWith("224x224x3 [[[0, 0, 0], [0, 0, 0], ")
                .endsWith("...]]]")
                .hasSizeLessThan(4_000);
    }

    @Test
    void longValuesAreBoundedAndControlCharactersDoNotReachATerminal() {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 1_000_000; i++) {
            numbers.add(i);
        }
        assertThat(CellText.of(numbers))
                .hasSizeLessThan(4_100)
                .startsWith("[0, 1, 2")
                .endsWith(", ...]");
        assertThat(CellText.of("x".repeat(1 << 20))).hasSize(4_003);
        assertThat(CellText.of("a\nb\tc\u001b[31m")).isEqualTo("a\\nb\\tc\\u001b[31m");
        assertThat(CellText.of(Row.of("a", null, "b", new byte[3]))).isEqualTo("{a: null, b: 3 bytes}");
        assertThat(CellText.of(Map.of("k", List.of("v")))).isEqualTo("{k=[v]}");
    }

    @Test
    void wideCharactersAreAligned() {
        assertThat(table(80, true, Row.of("city", "東京", "n", 1L), Row.of("city", "Oslo", "n", 2L))
                        .lines()
                        .map(DisplayWidth::of))
                .containsOnly(7);
    }

    @Test
    void typesStandBelowTheNamesAlsoWithoutRows() {
        Schema schema =
                Schema.of(new Field("id", DataType.INT64), new Field("image", DataType.tensor(DataType.UINT8, 2)));
        assertThat(TableText.of(
                        List.of(), Optional.of(schema), TableText.Layout.free().withTypes()))
                .isEqualTo("id     image\nint64  tensor<uint8, 2>\n-----  ----------------\n(no rows)");
    }

    @Test
    void inTheVerticalFormNothingIsCut() {
        String text = TableText.vertical(List.of(Row.of("id", 1L, "text", LONG)), 80);
        assertThat(text.lines()).allMatch(line -> line.length() <= 80);
        assertThat(text).startsWith("-- row 1 --\nid    1\ntext  the quick");
        assertThat(text.replaceAll("\n {6}", "")).endsWith(LONG);
    }

    @Test
    void markdownEscapesBars() {
        Schema schema = Schema.of(new Field("n", DataType.INT64), new Field("a|b", DataType.UTF8));
        assertThat(TableText.markdown(List.of(Row.of("n", 1L, "a|b", "x|y")), schema))
                .isEqualTo("| n | a\\|b |\n| ---: | --- |\n| 1 | x\\|y |");
    }
}
