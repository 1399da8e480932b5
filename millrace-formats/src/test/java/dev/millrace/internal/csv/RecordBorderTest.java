package dev.millrace.internal.csv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadCsv;
import dev.millrace.testing.BytesRange;
import dev.millrace.testing.Seeds;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Files are cut anywhere, also in quotes, and the parts together give the rows of the whole.
@Timeout(120)
class RecordBorderTest {
    private static final long SEED = Seeds.seed();

    private final Allocator memory = Allocator.root("test", 1L << 30);
    private final ReadContext context = new ReadContext(memory, 1 << 20);
    private final Random random = new Random(SEED);

    /// Throws if a byte is held.
    @AfterEach
    void close() {
        memory.close();
    }

    private List<List<Object>> parts(byte[] file, ReadCsv options, long... cuts) throws Exception {
        CsvFormat format = new CsvFormat(options);
        Schema schema = format.settle(format.schema(BytesRange.whole("test.csv", file), context));
        List<List<Object>> rows = new ArrayList<>();
        long from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            long to = i == cuts.length ? file.length : cuts[i];
            rows.addAll(CsvText.part(
                    new BytesRange("test.csv", file, from, to, 1 + random.nextInt(5000)), schema, format, context));
            from = to;
        }
        return rows;
    }

    private void isSameWhereverItIsCut(byte[] file, ReadCsv options) throws Exception {
        CsvFormat format = new CsvFormat(options);
        BytesRange whole = BytesRange.whole("test.csv", file);
        Schema schema = format.settle(format.schema(whole, context));
        List<List<Object>> expected = CsvText.part(whole, schema, format, context);
        for (int cut = 1; cut < file.length; cut++) {
            List<List<Object>> rows = new ArrayList<>(
                    CsvText.part(new BytesRange("test.csv", file, 0, cut, 100), schema, format, context));
            rows.addAll(CsvText.part(new BytesRange("test.csv", file, cut, file.length, 100), schema, format, context));
            assertThat(rows)
                    .as("seed " + SEED + ", cut at " + cut + " of\n" + new String(file, UTF_8))
                    .isEqualTo(expected);
        }
    }

    @Test
    void wellFormedFilesCutAtEveryByte() throws Exception {
        for (int i = 0; i < 20; i++) {
            int columns = 1 + random.nextInt(4);
            isSameWhereverItIsCut(
                    OddFiles.file(random, random.nextInt(25), columns, false, '"'), OddFiles.text(columns));
        }
    }

    @Test
    void filesWithoutQuotesCutAtEveryByte() throws Exception {
        for (int i = 0; i < 20; i++) {
            int columns = 1 + random.nextInt(4);
            isSameWhereverItIsCut(
                    OddFiles.file(random, random.nextInt(25), columns, true, '\''),
                    OddFiles.text(columns).withoutQuotes().skipRaggedRows());
        }
    }

    /// Quotes in the middle of fields mean themselves, and make the two walks alike.
    @Test
    void oddFilesAreTheSameOrAnErrorNeverOtherRows() throws Exception {
        int same = 0;
        int errors = 0;
        for (int i = 0; i < 20; i++) {
            int columns = 1 + random.nextInt(4);
            byte[] file = OddFiles.file(random, 5 + random.nextInt(20), columns, true, '"');
            CsvFormat format = new CsvFormat(OddFiles.text(columns));
            BytesRange whole = BytesRange.whole("test.csv", file);
            Schema schema = format.settle(format.schema(whole, context));
            List<List<Object>> expected = CsvText.part(whole, schema, format, context);
            for (int cut = 1; cut < file.length; cut++) {
                List<List<Object>> rows = new ArrayList<>();
                try {
                    rows.addAll(CsvText.part(new BytesRange("test.csv", file, 0, cut, 100), schema, format, context));
                    rows.addAll(CsvText.part(
                            new BytesRange("test.csv", file, cut, file.length, 100), schema, format, context));
                } catch (MillraceException e) {
                    assertThat(e).hasMessageContaining("do not tell where a record begins");
                    errors++;
                    continue;
                }
                same++;
                assertThat(rows)
                        .as("seed " + SEED + ", cut at " + cut + " of\n" + new String(file, UTF_8))
                        .isEqualTo(expected);
            }
        }
        assertThat(errors).isLessThan(same / 20);
    }

    @Test
    void escapedQuotesAndDelimiters() throws Exception {
        String text = "c0,c1\n\"a\\\"\n,b\",x\\,y\n\\\\,\"\\\\\"\n\"p\\\n\\\"q\",\"\\\"\"\n1,2\n";
        isSameWhereverItIsCut(CsvText.bytes(text), OddFiles.text(2).escape('\\'));
    }

    @Test
    void largeFilesCutAnywhere() throws Exception {
        for (String kind : List.of("none", "few", "many", "long")) {
            StringBuilder text = new StringBuilder("c0,c1,c2\n");
            for (int row = 0; text.length() < 400_000; row++) {
                boolean quoted = kind.equals("many")
                        || kind.equals("few") && row % 500 == 0
                        || kind.equals("long") && row % 50 == 0;
                String value = quoted
                        ? "\"a, \"\"b\"\"\n" + "1,2,3\n".repeat(kind.equals("long") ? 500 : 2) + "\""
                        : "plain text";
                text.append(row)
                        .append(',')
                        .append(value)
                        .append(',')
                        .append(row % 3 == 0 ? "" : "end")
                        .append('\n');
            }
            byte[] file = CsvText.bytes(text.toString());
            List<List<Object>> expected = CsvText.rows(file, OddFiles.text(3), 1 << 20);
            for (int i = 0; i < 5; i++) {
                long[] cuts = random.longs(20, 0, file.length).sorted().toArray();
                assertThat(parts(file, OddFiles.text(3), cuts))
                        .as(kind + ", seed " + SEED)
                        .isEqualTo(expected);
            }
        }
    }

    /// The text in quotes looks like rows for longer than anybody looks ahead.
    @Test
    void rowsWithinQuotesThatLookLikeRows() throws Exception {
        String inner = "1,2\n".repeat(200_000);
        byte[] file = CsvText.bytes("c0,c1\nx,\"" + inner + "\"\ny,z\n");
        assertThat(parts(file, OddFiles.text(2), 100_000, 400_000, 700_000)).hasSize(2);
    }

    @Test
    void aRaggedRowNearACutIsAnErrorAndNotOtherRows() {
        String text = "c0,c1\n" + "1,\"a\nb\"\n".repeat(30) + "1,2,3\n" + "1,\"a\nb\"\n".repeat(30);
        byte[] file = CsvText.bytes(text);
        for (int cut = 1; cut < file.length; cut++) {
            int at = cut;
            assertThatThrownBy(() -> parts(file, OddFiles.text(2), at))
                    .as("cut at " + cut)
                    .isInstanceOf(MillraceException.class);
        }
    }
}
