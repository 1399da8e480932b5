package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenizeTest {
    private static final List<String> TEXTS = Arrays.asList("Hello, world!", null, "", "A man is eating food.");

    @Test
    void textsBecomeTensorsThatAreFilledUp() {
        try (Session session = Session.open()) {
            List<Row> rows = session.items(TEXTS)
                    .mapBatches(Tokenize.miniLm().column("item").maxLength(8), Compute.actors(1))
                    .takeAll();
            assertThat(rows.getFirst().asMap().keySet()).containsExactly("item", "input_ids", "attention_mask");
            assertThat(longs(rows.get(0), "input_ids")).containsExactly(101, 7592, 1010, 2088, 999, 102, 0, 0);
            assertThat(longs(rows.get(0), "attention_mask")).containsExactly(1, 1, 1, 1, 1, 1, 0, 0);
            assertThat(rows.get(1).isNull("input_ids")).isTrue();
            assertThat(rows.get(1).isNull("attention_mask")).isTrue();
            assertThat(longs(rows.get(2), "input_ids")).containsExactly(101, 102, 0, 0, 0, 0, 0, 0);
            assertThat(longs(rows.get(3), "input_ids")).containsExactly(101, 1037, 2158, 2003, 5983, 2833, 1012, 102);
        }
    }

    @Test
    void unpaddedTextsAreListsOfTheirOwnLength() {
        try (Session session = Session.open()) {
            var tokens = session.items(TEXTS)
                    .mapBatches(Tokenize.miniLm().column("item").unpadded(), Compute.actors(1))
                    .materialize();
            assertThat(tokens.schema().field(1).type()).isEqualTo(DataType.list(DataType.INT64));
            List<Row> rows = tokens.takeAll();
            assertThat(rows.getFirst().get("input_ids")).isEqualTo(List.of(101L, 7592L, 1010L, 2088L, 999L, 102L));
            assertThat(rows.getFirst().get("attention_mask")).isEqualTo(List.of(1L, 1L, 1L, 1L, 1L, 1L));
            assertThat(rows.get(1).isNull("input_ids")).isTrue();
        }
    }

    @Test
    void whatIsWrongIsToldInSentences() {
        assertThatThrownBy(() -> Tokenizer.miniLm().maxLength(2))
                .isInstanceOf(MillraceException.class)
                .hasMessage("maxLength must be more than the 2 tokens that are added to each text, not 2.");
        assertThatThrownBy(() -> Tokenizer.load(Path.of("no/such/tokenizer.json")))
                .hasMessageStartingWith("The tokeniser 'no/such/tokenizer.json' cannot be read: ");
        assertThatThrownBy(() -> Tokenizer.miniLm().token(40_000)).hasMessage("The tokeniser has no token 40000.");
        try (Session session = Session.open()) {
            assertThatThrownBy(() -> session.range(3)
                            .mapBatches(Tokenize.miniLm().column("id"), Compute.actors(1))
                            .takeAll())
                    .hasMessageContaining("Column 'id' is int64, not text.");
        }
    }

    @Test
    void tokensCanBeReadBack() {
        Tokenizer tokenizer = Tokenizer.miniLm();
        assertThat(Arrays.stream(tokenizer.encode("unaffable")).mapToObj(tokenizer::token))
                .containsExactly("[CLS]", "una", "##ffa", "##ble", "[SEP]");
        assertThat(tokenizer.size()).isEqualTo(30522);
        assertThat(tokenizer.maxLength()).isEqualTo(256);
        assertThat(tokenizer.maxLength(4).encode("unaffable")).hasSize(4).endsWith(102);
    }

    private static long[] longs(Row row, String column) {
        return row.getTensor(column).toLongs();
    }
}
