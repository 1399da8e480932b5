package dev.millrace.internal.parquet.read;

import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.UsedFields;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The columns and rows that a read returns, independent of the file.
///
/// @param all every column of the files; the filter may use columns that are not in the output
/// @param output the projected columns
/// @param filter only rows for which it is true are returned; null for all rows
/// @param limit the maximum number of rows needed from a split
/// @param options of the read
/// @param encoded columns that may be returned as dictionaries
/// @param pageIndex whether the page index helps the filter; shared by all readers in this process
record ParquetReadPlan(
        ReadColumns all,
        ReadColumns output,
        @Nullable Expression filter,
        long limit,
        ReadParquet options,
        Set<String> encoded,
        PageIndexUse pageIndex)
        implements Serializable {
    /// Without dictionary columns.
    ParquetReadPlan(ReadColumns all, ReadColumns output, @Nullable Expression filter, long limit, ReadParquet options) {
        this(all, output, filter, limit, options, Set.of(), new PageIndexUse());
    }

    /// The same plan; these columns may be returned as dictionaries.
    ParquetReadPlan encoded(Set<String> names) {
        return new ParquetReadPlan(all, output, filter, limit, options, Set.copyOf(names), pageIndex);
    }

    ParquetReadPlan project(List<String> names) {
        return new ParquetReadPlan(all, output.project(names), filter, limit, options, encoded, pageIndex);
    }

    /// The same columns, with fewer fields in structs.
    ParquetReadPlan narrow(Schema narrower) {
        return new ParquetReadPlan(all, output.as(narrower), filter, limit, options, encoded, pageIndex);
    }

    ParquetReadPlan and(Expression more) {
        Expression both = filter == null ? more : filter.and(more);
        return new ParquetReadPlan(all, output, both, limit, options, encoded, new PageIndexUse());
    }

    ParquetReadPlan limit(long rows) {
        return new ParquetReadPlan(all, output, filter, Math.min(limit, rows), options, encoded, pageIndex);
    }

    /// The plan for a file with some constant columns, which are not read.
    ParquetReadPlan with(Set<String> constants) {
        return new ParquetReadPlan(
                all.with(constants), output.with(constants), filter, limit, options, encoded, pageIndex);
    }

    Schema schema() {
        return output.output();
    }

    /// The output columns, followed by those that only the filter reads.
    ReadColumns needed() {
        if (filter == null) {
            return output;
        }
        Map<String, Field> fields = new LinkedHashMap<>();
        schema().fields().forEach(field -> fields.put(field.name(), field));
        for (Field seen : seenBy(filter).output().fields()) {
            // The filter may use fields that the output does not contain.
            fields.merge(seen.name(), seen, (a, b) -> new Field(a.name(), Types.unify(a.type(), b.type())));
        }
        return all.as(Schema.of(new ArrayList<>(fields.values())));
    }

    /// The columns that an expression of the filter uses; for structs only the fields used.
    ReadColumns seenBy(Expression part) {
        ReadColumns columns = all.project(new ArrayList<>(part.columns()));
        UsedFields used = new UsedFields();
        used.add(part);
        return columns.as(used.narrow(columns.output()));
    }

    /// Null without a filter.
    @Nullable
    GroupPruning pruning(FileSchema file) {
        return filter == null ? null : new GroupPruning(filter, all, file, pageIndex);
    }

    /// Whether rows of this file may pass the filter, judged by its path.
    boolean mayPass(String file) {
        if (filter == null) {
            return true;
        }
        Set<String> ofPath = all.constants();
        List<Expression> parts = filter.conjuncts().stream()
                .filter(part -> !part.columns().isEmpty() && ofPath.containsAll(part.columns()))
                .toList();
        if (parts.isEmpty()) {
            return true;
        }
        FileConstants constants = FileConstants.of(file, options.files().hive());
        return parts.stream()
                .allMatch(part -> constants.passes(
                        part, all.project(new ArrayList<>(part.columns())).output()));
    }
}
