package dev.millrace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What the parts of [DatasetSuite] have: a session that is closed, and checked for leaks, after each test.
interface Behaviour {
    Session session();

    /// An empty folder.
    Path folder();

    static List<Object> column(String name, List<Row> rows) {
        return DatasetSuite.values(rows, name);
    }

    static List<Object> column(String name, Dataset dataset) {
        return column(name, dataset.takeAll());
    }

    static AbstractThrowableAssert<?, ? extends Throwable> assertError(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(MillraceException.class);
    }
}
