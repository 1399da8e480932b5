package dev.millrace.internal.parquet.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PageHeaderTest {
    /// 1: kind 0, 2: 100 bytes, 3: 50 compressed, 4: checksum 7, 5: {1: 1000 values, 2: encoding 8, 3 and 4: levels in
    /// 3, 5: statistics with a value}.
    private static final String DATA =
            "1500" + "15c801" + "1564" + "150e" + "1c" + "15d00f" + "1510" + "1506" + "1506" + "1c58026161000000";
    /// 1: kind 2, 2: 88 bytes, 3: 80 compressed, 7: {1: 11 values, 2: encoding 0, 3: not sorted}.
    private static final String DICTIONARY = "1504" + "15b001" + "15a001" + "4c" + "1516" + "1500" + "12" + "0000";
    /// 1: kind 3, 2: 20 bytes, 3: 18 compressed, 8: {1: 10 values, 2: 1 null, 3: 9 rows, 4: encoding 8, 5: 2 bytes of
    /// definition levels, 6: 1 of repetition levels, 7: not compressed}.
    private static final String V2 =
            "1506" + "1528" + "1524" + "5c" + "1514" + "1502" + "1512" + "1510" + "1504" + "1502" + "12" + "0000";

    private final PageHeader.Reader reader = new PageHeader.Reader();

    private PageHeader read(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex + "ffff");
        ThriftReader in = new ThriftReader(bytes, 0, bytes.length);
        PageHeader header = reader.read(in);
        assertThat(in.position()).isEqualTo(hex.length() / 2);
        return header;
    }

    @Test
    void headersOfAllKindsAreReadByOneReader() {
        PageHeader data = new PageHeader(0, 100, 50, 7, 1000, -1, PageEncoding.RLE_DICTIONARY, 0, 0, true, false);
        PageHeader dictionary = new PageHeader(2, 88, 80, null, 11, -1, PageEncoding.PLAIN, 0, 0, true, false);
        PageHeader v2 = new PageHeader(3, 20, 18, null, 10, 9, PageEncoding.RLE_DICTIONARY, 2, 1, false, false);
        assertThat(read(DATA)).isEqualTo(data);
        assertThat(read(V2)).isEqualTo(v2);
        assertThat(read(DICTIONARY)).isEqualTo(dictionary);
        // Nothing is left of the one before.
        assertThat(read(DATA)).isEqualTo(data);
    }

    @Test
    void levelsInTheOldEncodingAreSaid() {
        assertThat(read(DATA.replace("1506" + "1506", "1508" + "1506")).oldLevels())
                .isTrue();
    }

    @Test
    void aHeaderThatIsCutOffOrOfOtherTypesIsAnError() {
        for (int i = 2; i < DATA.length(); i += 2) {
            byte[] bytes = HexFormat.of().parseHex(DATA.substring(0, i));
            assertThatThrownBy(() -> reader.read(new ThriftReader(bytes, 0, bytes.length)))
                    .isInstanceOf(MalformedParquet.class);
        }
        // Without a body, with a string for the number of values, with an encoding that does not exist.
        for (String damaged : new String[] {
            "1500" + "15c801" + "1564" + "00", DATA.replace("15d00f", "180161"), DATA.replace("1510", "1550")
        }) {
            assertThatThrownBy(() -> read(damaged)).isInstanceOf(MalformedParquet.class);
        }
    }
}
