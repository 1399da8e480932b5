package dev.millrace.internal.textfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.jsonfile.MemoryRange;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadText;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextReadTest {
    private final Allocator allocator = Allocator.root("test", 64 << 20);
    private final ReadContext context = new ReadContext(allocator, 1 << 20);

    @AfterEach
    void everyByteIsReleased() {
        assertThat(allocator.heldBytes()).isZero();
        allocator.close();
    }

    @Test
    void linesAreRowsAndBlankOnesAreDroppedUnlessKept() {
        byte[] text = "one\n\ntwo \r\n  \t\nthr\u00e4\u00e4".getBytes(StandardCharsets.UTF_8);
        assertThat(lines(MemoryRange.whole(text), ReadText.defaults()))
                .containsExactly("one", "two ", "thr\u00e4\u00e4");
        assertThat(lines(MemoryRange.whole(text), ReadText.defaults().keepEmptyLines()))
                .containsExactly("one", "", "two ", "  \t", "thr\u00e4\u00e4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\uFEFF", "\n\n  \n"})
    void aFileOfNothingHasNoRows(String text) {
        assertThat(lines(MemoryRange.whole(text.getBytes(StandardCharsets.UTF_8)), ReadText.defaults()))
                .isEmpty();
    }

    @Test
    void aMarkOfTheByteOrderIsNoText() {
        assertThat(lines(MemoryRange.whole("\uFEFFa\nb".getBytes(StandardCharsets.UTF_8)), ReadText.defaults()))
                .containsExactly("a", "b");
    }

    @Test
    void partsCutAnywhereHaveTheLinesOfTheWhole() {
        byte[] text = "one\n\ntwo, which is longer\r\n\u00e4\u00f6\u00fc\n\nend\n".getBytes(StandardCharsets.UTF_8);
        for (ReadText options : List.of(ReadText.defaults(), ReadText.defaults().keepEmptyLines())) {
            List<String> whole = lines(MemoryRange.whole(text), options);
            for (int cut = 1; cut < text.length; cut++) {
                for (int second = cut; second < text.length; second++) {
                    List<String> parts = new ArrayList<>();
                    parts.addAll(lines(new MemoryRange(text, 0, cut, 1), options));
                    parts.addAll(lines(new MemoryRange(text, cut, second, 5), options));
                    parts.addAll(lines(new MemoryRange(text, second, Long.MAX_VALUE, 100), options));
                    assertThat(parts).as("cut at %d and %d", cut, second).isEqualTo(whole);
                }
            }
        }
    }

    @Test
    void aLineThatIsNotUtf8CostsItself() throws Exception {
        byte[] text = "one\ntw\u00e4\nthree\nf\u00f6ur\nfive".getBytes(StandardCharsets.ISO_8859_1);
        List<String> lines = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        try (SplitReader reader = new TextFormat(ReadText.defaults())
                .open(new MemoryRange(text, 0, Long.MAX_VALUE, 3), WantedColumns.all(TextFormat.SCHEMA), context)) {
            boolean more = true;
            while (more) {
                try (Block block = reader.next()) {
                    more = block != null;
                    for (long i = 0; more && i < block.rows(); i++) {
                        lines.add((String) block.column(0).value(i));
                    }
                } catch (MillraceException e) {
                    errors.add(e.getMessage());
                    more = reader.skipBroken();
                }
            }
        }
        assertThat(lines).containsExactly("one", "three", "five");
        assertThat(errors).hasSize(2);
        assertThat(errors.get(0)).contains("line 2, byte 6");
        assertThat(errors.get(1)).contains("line 4, byte 15");
    }

    @Test
    void longLinesAndManyLines() {
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String line = i % 5000 == 7 ? "y".repeat(700_000) : "line " + i;
            expected.add(line);
            text.append(line).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(lines(new MemoryRange(bytes, 0, Long.MAX_VALUE, 4_096), ReadText.defaults()))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "UTF-16LE", "UTF-16", "windows-1252", "UTF-8", "US-ASCII"})
    void otherEncodingsAreRead(String encoding) {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            boolean wide = encoding.startsWith("UTF");
            expected.add(encoding.equals("US-ASCII") ? "a" + i : wide ? "\u00e4 \ud83d\ude00" + i : "\u00e4" + i);
        }
        byte[] bytes = String.join("\n", expected).getBytes(Charset.forName(encoding));
        assertThat(lines(
                        new MemoryRange(bytes, 0, Long.MAX_VALUE, 777),
                        ReadText.defaults().encoding(encoding)))
                .isEqualTo(expected);
    }

    @Test
    void bytesOfAnotherEncodingAreErrorsThatNameThePlace() {
        byte[] latin = "a\nb\u00e4b\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> lines(MemoryRange.whole(latin), ReadText.defaults()))
                .isInstanceOf(MillraceException.class)
                .hasMessage("'some/file.json', line 2, byte 3: the text is not UTF-8."
                        + " Give its encoding with ReadText.encoding(name).");
        assertThatThrownBy(() -> lines(
                        MemoryRange.whole(Arrays.copyOf(latin, 5)),
                        ReadText.defaults().encoding("UTF-16")))
                .hasMessageContaining("the text is not UTF-16");
        assertThatThrownBy(() -> ReadText.defaults().encoding("utf-nine"))
                .hasMessageStartingWith("There is no encoding 'utf-nine'.");
    }

    private List<String> lines(MemoryRange range, ReadText options) {
        List<String> lines = new ArrayList<>();
        TextFormat format = new TextFormat(options);
        try (SplitReader reader = format.open(range, WantedColumns.all(format.schema(range, context)), context)) {
            for (Block next = reader.next(); next != null; next = reader.next()) {
                try (Block block = next) {
                    for (long i = 0; i < block.rows(); i++) {
                        lines.add((String) block.column(0).value(i));
                    }
                }
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return lines;
    }
}
