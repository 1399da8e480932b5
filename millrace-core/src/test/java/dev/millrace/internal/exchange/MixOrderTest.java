package dev.millrace.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.RandomCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [MixOrder]: rows by their times, in whatever stretches they are mixed.
class MixOrderTest {
    private record Place(int input, long row, double time) {}

    @Test
    void everyStretchIsAPieceOfTheWholeMix() {
        RandomCase.check("MixOrder", 120, 60, each -> {
            int inputs = 1 + each.random().nextInt(4);
            double[] weights = new double[inputs];
            int[] rows = new int[inputs];
            Arrays.setAll(weights, _ -> each.oneOf(List.of(0.5, 1.0, 2.0, 3.0, 0.1)));
            Arrays.setAll(rows, _ -> each.random().nextInt(each.rows() + 1));
            each.about("weights " + Arrays.toString(weights) + ", rows " + Arrays.toString(rows));
            MixOrder mix = new MixOrder(weights);
            List<Place> places = new ArrayList<>();
            for (int input = 0; input < inputs; input++) {
                for (long row = 0; row < rows[input]; row++) {
                    places.add(new Place(input, row, (row + 0.5) / weights[input]));
                }
            }
            places.sort(Comparator.comparingDouble(Place::time).thenComparingInt(Place::input));
            assertThat(named(mix, new long[inputs], rows)).isEqualTo(places);
            if (places.isEmpty()) {
                return;
            }
            // A cut before any row: what comes before it, and then the rest.
            int cut = each.random().nextInt(places.size());
            Place at = places.get(cut);
            long[] first = new long[inputs];
            int[] before = new int[inputs];
            int[] rest = new int[inputs];
            for (int input = 0; input < inputs; input++) {
                long count = input == at.input() ? at.row() : mix.before(input, 0, at.input(), at.row());
                first[input] = Math.min(rows[input], count);
                before[input] = (int) first[input];
                rest[input] = rows[input] - before[input];
            }
            List<Place> both = new ArrayList<>(named(mix, new long[inputs], before));
            assertThat(both).hasSize(cut);
            both.addAll(named(mix, first, rest));
            assertThat(both).isEqualTo(places);
        });
    }

    private static List<Place> named(MixOrder mix, long[] first, int[] rows) {
        List<Place> all = new ArrayList<>();
        for (int input = 0; input < rows.length; input++) {
            for (int i = 0; i < rows[input]; i++) {
                all.add(new Place(input, first[input] + i, mix.time(input, first[input] + i)));
            }
        }
        return Arrays.stream(mix.order(first, rows)).mapToObj(all::get).toList();
    }
}
