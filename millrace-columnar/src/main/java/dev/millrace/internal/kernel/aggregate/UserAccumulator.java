package dev.millrace.internal.kernel.aggregate;

import static java.util.Objects.requireNonNull;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.aggregate.ColumnAggregate;
import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.memory.Allocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// States of a user-defined aggregate: Java objects, which are shipped in serialised form.
final class UserAccumulator extends GroupAccumulator {
    private static final SerialRule RULE = SerialRule.of(Serializable.class);

    private final Aggregate aggregate;
    private final AggregateDefinition<Serializable> definition;
    private final Column column;
    private final boolean merging;
    /// Null for a group without rows yet.
    private final List<@Nullable Serializable> states = new ArrayList<>();

    /// @param merging the column contains states, as [#build] gives them
    UserAccumulator(Allocator allocator, Aggregate aggregate, Column column, boolean merging) {
        super(allocator);
        this.aggregate = aggregate;
        this.definition = definition(aggregate);
        this.column = column;
        this.merging = merging;
    }

    /// The definition creates and accepts only its own states.
    @SuppressWarnings("unchecked")
    private static AggregateDefinition<Serializable> definition(Aggregate aggregate) {
        return (AggregateDefinition<Serializable>)
                requireNonNull(aggregate.definition(), "a defined aggregate has a definition");
    }

    @Override
    void reserve(int groups) {
        while (states.size() < groups) {
            states.add(null);
        }
    }

    @Override
    void update(int[] groups, long from, int count) {
        try {
            if (!merging && definition instanceof ColumnAggregate<Serializable> columns) {
                updateColumns(columns, groups, from, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                Serializable state = states.get(groups[i]);
                Serializable next;
                if (merging) {
                    Serializable other = read(definition, ((BinaryColumn) column).get(from + i));
                    next = state == null ? other : definition.merge(state, other);
                } else {
                    next = definition.accumulate(state == null ? definition.init() : state, column.value(from + i));
                }
                states.set(groups[i], next);
            }
        } catch (Exception e) {
            throw failed(aggregate, e);
        }
    }

    /// Brings the rows of each group together, in their order, and adds them as one column.
    private void updateColumns(ColumnAggregate<Serializable> columns, int[] groups, long from, int count)
            throws Exception {
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            order[i] = (long) groups[i] << Integer.SIZE | i;
        }
        Arrays.sort(order);
        int[] positions = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = Math.toIntExact(from + (int) order[i]);
        }
        Column sorted = GatherKernel.take(allocator, column, positions, count);
        try {
            for (int start = 0, end; start < count; start = end) {
                int group = (int) (order[start] >>> Integer.SIZE);
                end = start + 1;
                while (end < count && (int) (order[end] >>> Integer.SIZE) == group) {
                    end++;
                }
                Serializable state = states.get(group);
                Column values = sorted.slice(start, end - start);
                states.set(group, columns.accumulate(state == null ? columns.init() : state, values));
            }
        } finally {
            sorted.release();
        }
    }

    @Override
    List<Column> build(int groups) {
        reserve(groups);
        try (BinaryBuilder builder = new BinaryBuilder(allocator, groups)) {
            for (int group = 0; group < groups; group++) {
                builder.append(write(states.get(group)));
            }
            return List.of(builder.build());
        } catch (Exception e) {
            throw failed(aggregate, e);
        }
    }

    /// The results of states, as a column that the caller releases.
    static Column finish(Allocator allocator, Aggregate aggregate, Column states) {
        AggregateDefinition<Serializable> definition = definition(aggregate);
        BinaryColumn bytes = (BinaryColumn) states;
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, definition.type(), bytes.length())) {
            for (long group = 0; group < bytes.length(); group++) {
                builder.append(definition.finish(read(definition, bytes.get(group))));
            }
            return builder.build();
        } catch (Exception e) {
            throw failed(aggregate, e);
        }
    }

    /// The result over no rows.
    static Column ofNothing(Allocator allocator, Aggregate aggregate) {
        AggregateDefinition<Serializable> definition = definition(aggregate);
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, definition.type(), 1)) {
            builder.append(definition.finish(definition.init()));
            return builder.build();
        } catch (Exception e) {
            throw failed(aggregate, e);
        }
    }

    private static RuntimeException failed(Aggregate aggregate, Exception cause) {
        return cause instanceof MillraceException ours
                ? ours
                : new MillraceException(Culprit.USER, aggregate + " failed: " + cause, cause);
    }

    private static byte[] write(Serializable state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(state);
        }
        return bytes.toByteArray();
    }

    private static Serializable read(AggregateDefinition<Serializable> definition, byte[] bytes)
            throws IOException, ClassNotFoundException {
        return (Serializable) FilteredInput.read(bytes, definition.getClass().getClassLoader(), RULE);
    }

    @Override
    public void close() {
        states.clear();
    }
}
