package dev.millrace.internal.parquet.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ThriftReaderTest {
    private static ThriftReader reader(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return new ThriftReader(bytes, 0, bytes.length);
    }

    /// 1: i32 -3, 2: true, 3: binary "ab", 4: list of one struct {1: i64 300}, 9: i32 5, which is not asked for.
    private static final String STRUCT = "1505" + "11" + "18026162" + "191c" + "16d80400" + "550a" + "00";

    @Test
    void fieldsAreReadByTheirNumberAndTheReaderStandsBehindTheStruct() {
        ThriftReader in = reader(STRUCT + "1502");
        ThriftFields fields = new ThriftFields(in, 8);
        int end = in.position();
        assertThat(end).isEqualTo(STRUCT.length() / 2);
        assertThat(fields.i32(1, 0)).isEqualTo(-3);
        assertThat(fields.bool(2, false)).isTrue();
        assertThat(fields.binary(3)).isEqualTo(new byte[] {'a', 'b'});
        assertThat(in.position()).isEqualTo(end);
        assertThat(fields.at(4).structs(one -> new ThriftFields(one, 2).i64(1, 0)))
                .containsExactly(300L);
        fields.leave();
        assertThat(in.position()).isEqualTo(end);
        assertThat(fields.has(5)).isFalse();
        assertThat(fields.i64(5, 7)).isEqualTo(7);
        assertThat(fields.binary(6)).isNull();
    }

    @Test
    void aFieldOfAnotherTypeIsAnError() {
        ThriftFields fields = new ThriftFields(reader(STRUCT), 8);
        assertThatThrownBy(() -> fields.i32(3, 0))
                .isInstanceOf(MalformedParquet.class)
                .hasMessageContaining("number");
        assertThatThrownBy(() -> fields.binary(1)).isInstanceOf(MalformedParquet.class);
        assertThatThrownBy(() -> fields.bool(1, true)).isInstanceOf(MalformedParquet.class);
    }

    @Test
    void whatIsNestedTooDeepIsAnErrorWhereItIsSkipped() {
        // Sets of sets, and structs in structs.
        for (int filling : new int[] {0x5A, 0x1C, 0x1A, 0x19}) {
            byte[] bytes = new byte[1 << 20];
            Arrays.fill(bytes, (byte) filling);
            assertThatThrownBy(() -> new ThriftFields(new ThriftReader(bytes, 0, bytes.length), 4))
                    .as("%x", filling)
                    .isInstanceOf(MalformedParquet.class);
        }
    }
}
