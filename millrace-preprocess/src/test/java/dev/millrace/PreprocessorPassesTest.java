package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.preprocess.Chain;
import dev.millrace.preprocess.MinMaxScaler;
import dev.millrace.preprocess.OrdinalEncoder;
import dev.millrace.preprocess.SimpleImputer;
import dev.millrace.preprocess.StandardScaler;
import dev.millrace.settings.ProgressSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// How often preprocessors go over the rows to learn. Not Ray Data's: it makes a pass for each.
class PreprocessorPassesTest {
    private static final AtomicInteger CALLS = new AtomicInteger();

    record Numbers(Double a, long b, long c) {}

    @Test
    void independentPartsOfAChainLearnInOnePass() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset known = session.items(List.of(new Numbers(1.0, 10, 5), new Numbers(null, 30, 5)), 1)
                    .mapBatches(batch -> {
                        CALLS.incrementAndGet();
                        return batch;
                    })
                    .select("a", "b", "c");
            known.schema();
            Chain three = Chain.of(StandardScaler.of("a"), MinMaxScaler.of("b"), SimpleImputer.mean("c"));
            CALLS.set(0);
            three.fit(known);
            assertThat(CALLS).hasValue(1);
            Chain.of(three, OrdinalEncoder.of("b").into("o")).fit(known);
            assertThat(CALLS).hasValue(3);
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }
}
