package dev.millrace.internal.plan.optimize;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A source that only remembers what was pushed into it. It takes the parts of a filter that read nothing but `a`.
public record FakeSource(Schema all, List<String> columns, List<String> filters, long limit, long rowCount)
        implements Source {
    public static FakeSource of(Schema schema) {
        return new FakeSource(schema, schema.names(), List.of(), Long.MAX_VALUE, -1);
    }

    public FakeSource withRows(long rows) {
        return new FakeSource(all, columns, filters, limit, rows);
    }

    @Override
    public String name() {
        return "Fake";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(
                Schema.of(columns.stream().map(c -> all.field(all.indexOf(c))).toList()));
    }

    @Override
    public OptionalLong rows() {
        return rowCount < 0 ? OptionalLong.empty() : OptionalLong.of(rowCount);
    }

    @Override
    public boolean hasSplits(int count) {
        return true;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        throw MillraceException.internal("a fake source is never read");
    }

    @Override
    public Optional<Source> project(List<String> names) {
        return Optional.of(new FakeSource(all, names, filters, limit, rowCount));
    }

    @Override
    public Optional<Source> narrow(Schema schema) {
        return Optional.of(new FakeSource(schema, schema.names(), filters, limit, rowCount));
    }

    @Override
    public Optional<PushedFilter> filter(Expression predicate) {
        List<Expression> parts = predicate.conjuncts();
        List<Expression> taken = parts.stream()
                .filter(p -> p.columns().equals(java.util.Set.of("a")))
                .toList();
        if (taken.isEmpty()) {
            return Optional.empty();
        }
        Expression rest = parts.stream()
                .filter(p -> !taken.contains(p))
                .reduce(Expression::and)
                .orElse(null);
        FakeSource narrowed = new FakeSource(
                all, columns, taken.stream().map(Expression::toString).toList(), limit, -1);
        return Optional.of(new PushedFilter(narrowed, rest));
    }

    @Override
    public Optional<Source> limit(long rows) {
        return Optional.of(new FakeSource(all, columns, filters, rows, rowCount));
    }
}
