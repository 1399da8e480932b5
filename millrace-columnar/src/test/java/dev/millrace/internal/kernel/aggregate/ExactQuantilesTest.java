package dev.millrace.internal.kernel.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The number between two others at a quantile's place.
class ExactQuantilesTest {
    @Test
    void betweenTwoEqualInfinitiesIsThatInfinity() {
        double infinity = Double.POSITIVE_INFINITY;
        assertThat(ExactQuantiles.between(-infinity, -infinity, 0.3, 1)).isEqualTo(-infinity);
        assertThat(ExactQuantiles.between(infinity, infinity, 0.3, 1)).isEqualTo(infinity);
        assertThat(ExactQuantiles.between(-infinity, 5, 0, 1)).isEqualTo(-infinity);
        assertThat(ExactQuantiles.between(5, infinity, 0.5, 1)).isEqualTo(infinity);
        assertThat(ExactQuantiles.between(-infinity, infinity, 0.5, 1)).isNaN();
    }

    @Test
    void betweenTwoNumbersItIsLinear() {
        assertThat(ExactQuantiles.between(1, 3, 0.25, 1)).isEqualTo(1.5);
        assertThat(ExactQuantiles.between(100, 300, 0.5, 100)).isEqualTo(2);
    }
}
