package dev.millrace;

import dev.millrace.compute.Download;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.expression.Expression;
import java.util.List;
import java.util.Map;

/// The column verbs of a dataset: select, rename, compute by expressions, explode.
sealed interface DatasetColumns permits Dataset {
    private Dataset self() {
        return (Dataset) this;
    }

    /// Only these columns, in this order.
    default Dataset select(String... columns) {
        return self().with(Verbs.select(self().plan(), columns));
    }

    /// One column per expression, under its alias, its column's name or its text.
    default Dataset select(Expression... expressions) {
        return select(List.of(expressions), ErrorPolicy.fail());
    }

    /// The same as [#select(Expression...)], with an error policy.
    ///
    /// @param onError what happens to rows on which an expression fails
    default Dataset select(List<Expression> expressions, ErrorPolicy onError) {
        return self().with(Verbs.select(self().plan(), expressions, onError));
    }

    /// All columns except these; a missing one is an error.
    default Dataset drop(String... columns) {
        return self().with(Verbs.drop(self().plan(), columns));
    }

    /// One column under another name, in its place.
    default Dataset rename(String from, String to) {
        return rename(Map.of(from, to));
    }

    /// Old name to new name; the other columns stay.
    default Dataset rename(Map<String, String> names) {
        return self().with(Verbs.rename(self().plan(), names));
    }

    /// New names for all columns, in their order: `rename(List.of("id", "name"))`.
    default Dataset rename(List<String> names) {
        return self().with(Verbs.rename(self().plan(), names));
    }

    /// Adds a column at the end, or replaces the one of that name in place.
    default Dataset withColumn(String column, Expression expression) {
        return withColumn(column, expression, ErrorPolicy.fail());
    }

    /// The same as [#withColumn(String, Expression)], with an error policy.
    ///
    /// @param onError what happens to rows on which the expression fails: with [ErrorPolicy#nulls] only the column is
    ///     null there
    default Dataset withColumn(String column, Expression expression, ErrorPolicy onError) {
        return self().with(Verbs.withColumn(self().plan(), column, expression, onError));
    }

    /// The same for several columns at once, all computed from the previous columns:
    /// `withColumns(col("a").plus(1).as("b"), ...)`.
    default Dataset withColumns(Expression... expressions) {
        return withColumns(List.of(expressions), ErrorPolicy.fail());
    }

    /// The same, with an error policy: rows that fail may be skipped, null or dead letters.
    default Dataset withColumns(List<Expression> expressions, ErrorPolicy onError) {
        return self().with(Verbs.withColumns(self().plan(), expressions, onError));
    }

    /// Replaces a struct column by its fields, in its place; they are null where it is. If the columns are not known
    /// before the dataset runs, some rows are read to find them.
    default Dataset unnest(String column) {
        return select(Verbs.unnested(self().schema(), column), ErrorPolicy.fail());
    }

    /// One row per element of a list column; rows whose list is empty or null are dropped.
    default Dataset explode(String column) {
        return explode(column, false);
    }

    /// A row for each element of the list.
    ///
    /// @param keepEmpty rows whose list is empty or null stay, with null
    default Dataset explode(String column, boolean keepEmpty) {
        return self().with(Verbs.explode(self().plan(), column, keepEmpty));
    }

    /// Replaces these columns by one row for each of them: its name in the column `name`, its value in the column
    /// `value`, which has their common type. The other columns are repeated; nulls stay.
    default Dataset unpivot(String... columns) {
        return unpivot(List.of(columns), "name", "value");
    }

    /// The same, with names for the two new columns.
    ///
    /// @param nameColumn the column for the columns' names
    /// @param valueColumn the column for their values
    default Dataset unpivot(List<String> columns, String nameColumn, String valueColumn) {
        return self().with(Verbs.unpivot(self().plan(), columns, nameColumn, valueColumn));
    }

    /// Fetches the files that a column names (`http://` and `https://`; others if [Download#schemes] allows them) and
    /// adds their bytes as the column `bytes`. A null address results in null.
    default Dataset download(String column) {
        return download(column, Download.into("bytes"));
    }

    /// The same, with options: `download("url", Download.into("image").onError(ErrorPolicy.skip()))`. Each task fetches
    /// many files concurrently; a fetch that fails is retried several times before the policy applies.
    default Dataset download(String column, Download options) {
        return self().with(Verbs.download(self().plan(), column, options));
    }
}
