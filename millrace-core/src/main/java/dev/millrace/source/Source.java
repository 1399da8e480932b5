package dev.millrace.source;

import dev.millrace.expression.Expression;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A place to read from, as an immutable value. Making one checks what can be checked (the path exists, the schema is
/// readable); nothing is read until splits are opened. The pushdown methods answer a narrower source, or empty where
/// the source cannot do it.
public interface Source extends Serializable {
    /// For plans and stats, e.g. "Range" or "Parquet(trips/*.parquet)".
    String name();

    /// The schema where it is known without running, after any projection.
    Optional<Schema> schema();

    /// The exact number of rows, where it is known without reading data.
    default OptionalLong rows() {
        return OptionalLong.empty();
    }

    /// The estimated bytes in memory, where there is an estimate.
    default OptionalLong sizeBytes() {
        return OptionalLong.empty();
    }

    /// What is known of a column of [#schema] without reading data.
    default ColumnStatistics statistics(String column) {
        return ColumnStatistics.UNKNOWN;
    }

    /// The files that it reads, if it reads any.
    default List<String> inputFiles() {
        return List.of();
    }

    /// The splits, in the order of the data, made lazily: a listing may still be going on while the first ones are
    /// read. Called once per run, on the driver; an AutoCloseable iterator is closed when the run ends early.
    Iterator<Split> splits(SplitRequest request);

    /// Whether it is known, without reading data, that it makes exactly so many splits where so many are asked for.
    /// Functions behind the read then share its tasks. Else they have tasks of their own, and where there are fewer
    /// splits, their rows are cut into as many blocks as were asked for.
    default boolean hasSplits(int count) {
        return false;
    }

    /// Reads only these columns, in this order. Must be exact.
    default Optional<Source> project(List<String> columns) {
        return Optional.empty();
    }

    /// Reads structs without fields that nobody uses. Must be exact.
    ///
    /// @param schema this source's columns, structs among them with fewer fields
    default Optional<Source> narrow(Schema schema) {
        return Optional.empty();
    }

    /// Takes a filter, or a part of it. What comes back as the remainder is evaluated after the read.
    default Optional<PushedFilter> filter(Expression predicate) {
        return Optional.empty();
    }

    /// May give these columns as dictionaries of their values, in any of the blocks, where values repeat and are stored
    /// like that. Only asked where what follows takes both; the schema stays that of the values.
    default Optional<Source> encoded(Set<String> columns) {
        return Optional.empty();
    }

    /// May stop after `rows` rows in all. A hint: the plan keeps its limit.
    default Optional<Source> limit(long rows) {
        return Optional.empty();
    }

    /// True where splits can only be read in the process that made them, one after the other (an iterator).
    default boolean isLocal() {
        return false;
    }

    /// False where another process, or a later one, could not get the same splits again: a checkpoint needs that.
    default boolean isRepeatable() {
        return true;
    }

    /// A source that applies part of a predicate, and the rest of it (null: nothing is left).
    record PushedFilter(Source source, @Nullable Expression remainder) {}
}
