package dev.millrace.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.ReadAvro;
import dev.millrace.type.DataType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Avro's decimals may have more digits than a column's: they are an error until the user says how to read them.
class WideDecimalsTest {
    private static final String SCHEMA = """
            {"type": "record", "name": "r", "fields": [
              {"name": "id", "type": "long"},
              {"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 50, "scale": 2}},
              {"name": "n", "type": ["null", {"type": "fixed", "name": "f", "size": 25, "logicalType": "decimal",
                "precision": 60, "scale": 0}]}]}""";
    private static final BigDecimal LARGE = new BigDecimal("-123456789012345678901234567890123456789012345678.90");
    private static final BigDecimal SMALL = new BigDecimal("12.50");

    @TempDir
    Path folder;

    private Session session;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        number(rows, 1);
        bytes(rows, LARGE.unscaledValue().toByteArray());
        number(rows, 1);
        byte[] fixed = new byte[25];
        byte[] seven = BigInteger.TEN.pow(50).toByteArray();
        System.arraycopy(seven, 0, fixed, fixed.length - seven.length, seven.length);
        rows.write(fixed);
        number(rows, 2);
        bytes(rows, SMALL.unscaledValue().toByteArray());
        number(rows, 0);

        byte[] sync = new byte[16];
        Arrays.fill(sync, (byte) 7);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(new byte[] {'O', 'b', 'j', 1});
        number(all, 1);
        bytes(all, "avro.schema".getBytes(StandardCharsets.UTF_8));
        bytes(all, SCHEMA.getBytes(StandardCharsets.UTF_8));
        number(all, 0);
        all.write(sync);
        number(all, 2);
        bytes(all, rows.toByteArray());
        all.write(sync);
        file = Files.write(folder.resolve("wide.avro"), all.toByteArray());
    }

    @AfterEach
    void close() {
        session.close();
    }

    private static void number(ByteArrayOutputStream out, long value) {
        long zigzag = value << 1 ^ value >> 63;
        for (; (zigzag & ~0x7FL) != 0; zigzag >>>= 7) {
            out.write((int) (zigzag & 0x7F | 0x80));
        }
        out.write((int) zigzag);
    }

    private static void bytes(ByteArrayOutputStream out, byte[] bytes) throws IOException {
        number(out, bytes.length);
        out.write(bytes);
    }

    private Dataset rows(DataType type) {
        return session.readAvro(file.toString(), ReadAvro.defaults().wideDecimals(type));
    }

    @Test
    void decimalsOfMoreThan38DigitsAreAnErrorThatNamesTheRemedy() {
        assertThatThrownBy(() -> session.readAvro(file.toString()))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(
                        "it has decimals of 50 digits, and columns have 38 at most. Say how they are read:"
                                + " readAvro(path, ReadAvro.defaults().wideDecimals(DataType.UTF8)), or DataType.FLOAT64, BINARY"
                                + " or a decimal that all values fit");
    }

    @Test
    void theyAreReadAsTheUserSays() {
        assertThat(rows(DataType.UTF8).schema()).hasToString("id: int64, d: utf8, n: utf8");
        assertThat(rows(DataType.UTF8).takeAll())
                .extracting(row -> row.get("d"), row -> row.get("n"))
                .containsExactly(
                        tuple(LARGE.toPlainString(), BigInteger.TEN.pow(50).toString()), tuple("12.50", null));
        assertThat(rows(DataType.FLOAT64).takeAll())
                .extracting(row -> row.get("d"))
                .containsExactly(LARGE.doubleValue(), 12.5);
        assertThat((byte[]) rows(DataType.BINARY).takeAll().getLast().get("d")).containsExactly(4, -30);
        assertThat(rows(DataType.UTF8).select("id").takeAll())
                .extracting(row -> row.get("id"))
                .containsExactly(1L, 2L);
    }

    @Test
    void aDecimalThatTheyDoNotFitIsAnError() {
        assertThatThrownBy(() -> rows(DataType.decimal(38, 2)).takeAll())
                .hasMessageContaining("the decimal " + LARGE.toPlainString() + " does not fit decimal(38, 2). Read such"
                        + " decimals by ReadAvro.wideDecimals(DataType.UTF8)");
        assertThatThrownBy(() -> ReadAvro.defaults().wideDecimals(DataType.INT64))
                .hasMessage(
                        "ReadAvro.wideDecimals: decimals of more than 38 digits are read as utf8, float64, binary or a"
                                + " decimal, not as int64.");
    }
}
