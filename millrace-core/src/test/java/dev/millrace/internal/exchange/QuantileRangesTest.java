package dev.millrace.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Quantiles of sorted runs, of which only some rows are looked at.
class QuantileRangesTest {
    private static final List<Double> QUANTILES = List.of(0.0, 0.001, 0.25, 0.3, 0.5, 0.75, 0.999, 1.0);
    private static final double[] ODD = {
        Double.NaN, 0.0, -0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE
    };

    private final long seed = Seeds.seed();

    private static double number(Random random, int kind) {
        return switch (kind) {
            case 0 -> random.nextGaussian();
            case 1 -> random.nextInt(3);
            case 2 -> random.nextInt(10) < 7 ? 5 : random.nextInt(1000);
            case 3 -> ODD[random.nextInt(ODD.length)];
            default -> 42;
        };
    }

    private static MapOutput output(double[] sorted, int samples) {
        int step = Math.max(1, (sorted.length + samples - 1) / samples);
        double[] sample = new double[(sorted.length + step - 1) / step];
        Arrays.setAll(sample, i -> sorted[i * step]);
        double last = sorted.length == 0 ? 0 : sorted[sorted.length - 1];
        return new MapOutput(
                sorted.length, 8L * sorted.length, new SortedNumbers(sample, step, sorted.length, last, 1));
    }

    private static double expected(double[] all, double quantile) {
        double place = quantile * (all.length - 1);
        int below = (int) place;
        double low = all[below];
        return place == below || low == all[below + 1] ? low : low + (all[below + 1] - low) * (place - below);
    }

    @Test
    void everyQuantileIsFoundWhateverTheNumbersAndRuns() {
        for (int number = 0; number < 400; number++) {
            Random random = new Random(seed + number);
            int kind = random.nextInt(5);
            int samples = 1 + random.nextInt(30);
            List<double[]> runs = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                double[] run = new double[random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300)];
                Arrays.setAll(run, _ -> number(random, kind));
                Arrays.sort(run);
                runs.add(run);
            }
            double[] all =
                    runs.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
            List<MapOutput> outputs =
                    runs.stream().map(run -> output(run, samples)).toList();
            List<ReducePart> parts = new QuantileRanges(QUANTILES).assign(List.of(outputs), 1);
            assertThat(parts)
                    .as("-Dmillrace.seed=" + seed + ", case " + number)
                    .hasSize(all.length == 0 ? 0 : QUANTILES.size());
            long[] begun = new long[runs.size()];
            for (int i = 0; i < parts.size(); i++) {
                String which = "-Dmillrace.seed=" + seed + ", case " + number + ", quantile " + QUANTILES.get(i);
                assertThat(found(parts.get(i), runs)).as(which).isEqualTo((Double) expected(all, QUANTILES.get(i)));
                for (ShardSpan span : parts.get(i).sides().getFirst()) {
                    assertThat(span.from()).as(which).isGreaterThanOrEqualTo(begun[span.output()]);
                    begun[span.output()] = span.from();
                }
            }
        }
    }

    private static double found(ReducePart part, List<double[]> runs) {
        QuantileSearch search =
                new QuantileSearch((QuantileRanges.Place) part.argument(), new double[(int) part.rows()]);
        for (ShardSpan span : part.sides().getFirst()) {
            for (long row = span.from(); row < span.from() + span.rows(); row++) {
                search.add(runs.get(span.output())[(int) row]);
            }
        }
        return search.found();
    }

    @Test
    void fewRowsAreLookedAtHoweverOftenANumberComes() {
        Random random = new Random(seed);
        for (int kind = 0; kind < 5; kind++) {
            int numbers = kind;
            List<double[]> runs = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                double[] run = new double[50_000];
                Arrays.setAll(run, _ -> number(random, numbers));
                Arrays.sort(run);
                runs.add(run);
            }
            List<MapOutput> outputs =
                    runs.stream().map(run -> output(run, 1024)).toList();
            for (ReducePart part : new QuantileRanges(QUANTILES).assign(List.of(outputs), 1)) {
                assertThat(part.rows()).as("numbers of kind " + kind).isLessThan(12 * 50_000 * 5 / 1024);
            }
        }
    }
}
