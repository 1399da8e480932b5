package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compression.IpcCompression;
import dev.millrace.compute.Compute;
import dev.millrace.files.FileSink;
import dev.millrace.internal.sink.ArrowFormat;
import dev.millrace.testing.Python;
import dev.millrace.testing.SinkContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrowSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new ArrowFormat(IpcCompression.NONE), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        return from.readArrow(target);
    }

    @Test
    void pyarrowReadsTheFiles() {
        Dataset rows = session.range(1000, 3)
                .map(row -> Row.of(
                        "id", row.getLong("id"), "text", row.getLong("id") % 10 == 0 ? null : "t" + row.getLong("id")));
        List<String> arguments = new ArrayList<>();
        for (IpcCompression compression : IpcCompression.values()) {
            String target = out() + "/" + compression;
            rows.writeArrow(target, WriteOptions.defaults().maxRowsPerFile(150), compression);
            arguments.add(target);
        }
        String told =
                Python.environment("test").run(ArrowSinkTest.class, "read_folder.py", arguments.toArray(String[]::new));
        assertThat(told.strip().lines().toList()).hasSize(3).allMatch("1000 499500 100"::equals);
    }

    @Test
    void chunksOfOtherColumnsBeginANewFile() {
        Dataset mixed = session.range(10, 1)
                .mapBatches(
                        batch -> batch.rows() > 4 ? batch : batch.rename("id", "other"),
                        Compute.tasks().batchSize(8));
        assertThat(mixed.writeArrow(out()).files()).hasSize(2);
    }

    @Test
    void aColumnOfWhichAFileHasOnlyNullsComesBackUnderTheTypeOfTheOthers() {
        session.range(30, 3)
                .map(row -> Row.of("id", row.getLong("id"), "v", row.getLong("id") < 10 ? null : row.getLong("id")))
                .writeArrow(out());
        assertThat(read(session, out()).takeAll()).hasSize(30).allSatisfy(row -> {
            assertThat(row.get("v")).isEqualTo(row.getLong("id") < 10 ? null : row.get("id"));
        });
    }

    @Test
    void thePlanTellsOfTheWrite() {
        Dataset rows = session.range(10, 2).map(row -> row.copy());
        rows.writeArrow(out());
        assertThat(rows.stats()).contains("write(Arrow(" + out() + "))");
    }
}
