package com.acme;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFunction;

/// Functions as a user of the library would write them, outside of its packages: errors name their lines.
public final class Functions {
    private Functions() {}

    public static Batch resize(Batch batch) {
        return batch.none().with("label", new long[31]).with("image", new long[32]);
    }

    public static Row failOnFive(Row row) {
        if (row.getLong("id") == 5) {
            throw new IllegalStateException("no fives");
        }
        return row;
    }

    public static Batch failOnFive(Batch batch) {
        return batch.mapLongs("id", id -> {
            if (id == 5) {
                throw new IllegalStateException("no fives");
            }
            return id;
        });
    }

    public static Row misspelt(Row row) {
        return Row.of("id", row.getLong("ID"));
    }

    /// Something that cannot be sent to another process.
    public static final class Db {
        public String name() {
            return "db";
        }
    }

    public static RowFunction capturing(Db connection) {
        return row -> row.with("db", connection.name());
    }

    /// Captures `this`, which is not serialisable.
    public static final class Job {
        private final Db connection = new Db();

        public BatchFunction function() {
            return batch -> batch.withConstant("db", connection.name());
        }
    }

    /// Serialisable itself, but not what it holds.
    public record Settings(String host, Db database) implements java.io.Serializable {}

    public static RowFunction capturing(Settings settings) {
        return row -> row.with("db", settings.database().name());
    }
}
