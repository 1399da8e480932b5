package dev.millrace.internal.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarNamesTest {
    private static final List<String> COLUMNS = List.of("id", "fare_amount", "Zone", "pickup", "dropoff", "tip");

    @ParameterizedTest
    @CsvSource({
        "fare_ammount, fare_amount",
        "fareamount, fare_amount",
        "zone, Zone",
        "pikcup, pickup",
        "pickups, pickup",
        "ID, id"
    })
    void aTypingErrorFindsWhatWasMeant(String typed, String meant) {
        assertThat(SimilarNames.nearest(typed, COLUMNS)).isEqualTo(meant);
        assertThat(SimilarNames.suggestion(typed, COLUMNS)).isEqualTo(" Did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({"passengers", "x", "amount", "''"})
    void whatIsNotSimilarIsNotSuggested(String typed) {
        assertThat(SimilarNames.suggestion(typed, COLUMNS)).isEmpty();
    }

    @Test
    void oneLetterIsNotLikeAnother() {
        assertThat(SimilarNames.suggestion("x", List.of("a", "b"))).isEmpty();
    }
}
