package dev.millrace.internal.plan.optimize;

import dev.millrace.expression.Expressions;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.relation.Join;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Unused columns do not go through a join's exchange, and unused keys are not output. A name that both sides have
/// stays on both if one of them is used: the names of the output depend on it.
final class PruneJoin {
    private PruneJoin() {}

    /// @param needed the names that are used, null for all
    /// @param below prunes an input
    static LogicalPlan prune(
            LogicalPlan.Joined joined,
            @Nullable Set<String> needed,
            BiFunction<LogicalPlan, Set<String>, LogicalPlan> below) {
        Optional<JoinColumns> columns = joined.columns();
        if (columns.isEmpty()) {
            return joined.withInputs(below.apply(joined.left(), null), below.apply(joined.right(), null));
        }
        Join join = joined.join();
        Schema left = joined.left().schema().get();
        Schema right = joined.right().schema().get();
        Set<String> ofLeft = new LinkedHashSet<>(join.leftKeys());
        Set<String> ofRight = new LinkedHashSet<>(join.rightKeys());
        if (join.asOf() != null) {
            ofLeft.add(join.asOf().left());
            ofRight.add(join.asOf().right());
        }
        boolean pairs = !join.kind().isLeftOnly() && !join.kind().isRightOnly();
        List<JoinColumns.Source> sources = columns.get().sources();
        List<String> wanted = new ArrayList<>();
        // Counting rows needs at least one column.
        List<String> all = columns.get().schema().names();
        boolean none = all.stream().noneMatch(name -> isWanted(name, needed) && isWanted(name, joined.wanted()));
        String least = none ? least(all, join) : null;
        for (int i = 0; i < sources.size(); i++) {
            String name = columns.get().schema().field(i).name();
            if (!name.equals(least) && (!isWanted(name, needed) || !isWanted(name, joined.wanted()))) {
                continue;
            }
            wanted.add(name);
            JoinColumns.Source source = sources.get(i);
            Field field = source.left() >= 0 ? left.field(source.left()) : right.field(source.right());
            if (source.left() >= 0 || (pairs && left.contains(field.name()))) {
                ofLeft.add(field.name());
            }
            if (source.right() >= 0 || (pairs && right.contains(field.name()))) {
                ofRight.add(field.name());
            }
        }
        return joined.withInputs(
                        only(below.apply(joined.left(), ofLeft), ofLeft),
                        only(below.apply(joined.right(), ofRight), ofRight))
                .withWanted(wanted);
    }

    /// A key, which is shuffled anyway, or any column.
    private static String least(List<String> names, Join join) {
        return names.stream()
                .filter(name ->
                        join.leftKeys().contains(name) || join.rightKeys().contains(name))
                .findFirst()
                .orElse(names.getFirst());
    }

    private static boolean isWanted(String name, @Nullable Collection<String> names) {
        return names == null || names.contains(name);
    }

    /// Projects it to these columns.
    private static LogicalPlan only(LogicalPlan input, Set<String> names) {
        Schema schema = input.schema().get();
        if (names.containsAll(schema.names())) {
            return input;
        }
        List<Field> kept = schema.fields().stream()
                .filter(field -> names.contains(field.name()))
                .toList();
        List<ColumnProjection.Named> columns = kept.stream()
                .map(field -> new ColumnProjection.Named(field.name(), Expressions.col(field.name())))
                .toList();
        return new LogicalPlan.Project(input, new ColumnProjection.Select(columns), Optional.of(Schema.of(kept)));
    }
}
