package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A sink of the user's that throws is named, wherever it throws.
class ThrowingSinkTest {
    enum Place {
        START("Starting to write to Basket failed: "),
        OPEN("Writing ids 0-2, rows 0-2 to Basket failed: "),
        WRITE("Writing ids 0-2, rows 0-2 to Basket failed: "),
        FINISH(" to Basket failed: "),
        CLOSE(" to Basket failed: "),
        COMMIT("Committing to Basket failed: ");

        private final String sentence;

        Place(String sentence) {
            this.sentence = sentence;
        }
    }

    private record Basket(Place throwsAt) implements Sink {
        private void at(Place place) {
            if (place == throwsAt) {
                throw new IllegalStateException("the basket is full");
            }
        }

        @Override
        public String name() {
            return "Basket";
        }

        @Override
        public boolean start(WriteJob job) {
            at(Place.START);
            return true;
        }

        @Override
        public SinkWriter open(WriteTask task) {
            at(Place.OPEN);
            return new SinkWriter() {
                @Override
                public void write(Block chunk) {
                    at(Place.WRITE);
                }

                @Override
                public Fragment finish() {
                    at(Place.FINISH);
                    return new Fragment(List.of());
                }

                @Override
                public void close() {
                    at(Place.CLOSE);
                }
            };
        }

        @Override
        public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
            at(Place.COMMIT);
            return WriteSummary.NOTHING;
        }

        @Override
        public void abort(WriteJob job) {}
    }

    @ParameterizedTest
    @EnumSource
    void theErrorNamesTheSinkAndWhatItDid(Place place) {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThatThrownBy(() -> session.range(3, 1).write(new Basket(place)))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining(place.sentence)
                    .hasMessageContaining("IllegalStateException: the basket is full")
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
    }

    /// A sink that remembers its failure: its abort fails with what its commit failed with.
    private record RememberingBasket(MillraceException failure) implements Sink {
        @Override
        public String name() {
            return "Basket";
        }

        @Override
        public boolean start(WriteJob job) {
            return true;
        }

        @Override
        public SinkWriter open(WriteTask task) {
            return new SinkWriter() {
                @Override
                public void write(Block chunk) {}

                @Override
                public Fragment finish() {
                    return new Fragment(List.of());
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
            throw failure;
        }

        @Override
        public void abort(WriteJob job) {
            throw failure;
        }
    }

    @Test
    void anAbortThatFailsWithTheFailureOfTheCommitDoesNotHideIt() {
        MillraceException failure = MillraceException.user("The basket is full. Empty it.");
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThatThrownBy(() -> session.range(3, 1).write(new RememberingBasket(failure)))
                    .isInstanceOf(MillraceException.class)
                    .hasMessage("The basket is full. Empty it.");
        }
    }
}
