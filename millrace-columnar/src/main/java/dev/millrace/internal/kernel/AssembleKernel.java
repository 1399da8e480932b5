package dev.millrace.internal.kernel;

import static java.util.Objects.requireNonNull;

import dev.millrace.column.Bits;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Concatenates runs of values of several columns of one type in tight memory: the copy under [ConcatenateKernel],
/// [CompactKernel] and the nested parts of [GatherKernel]. Runs are copied whole, level by level: a run of lists is one
/// run of elements.
final class AssembleKernel {
    private AssembleKernel() {}

    static Column columns(Allocator allocator, DataType type, Column[] sources, ValueRanges ranges) {
        return columns(allocator, type, sources, ranges, RunCopy.PLAIN);
    }

    static Column columns(Allocator allocator, DataType type, Column[] sources, ValueRanges ranges, RunCopy copy) {
        long length = ranges.total();
        try (ColumnParts made = new ColumnParts(allocator, copy)) {
            return switch (type) {
                case DataType.Null _ -> new NullColumn(length);
                case DataType.Dictionary dictionary -> dictionaries(made, dictionary, sources, ranges);
                case DataType.Bool _ -> booleans(made, sources, ranges);
                case DataType.Utf8 _, DataType.Binary _ -> bytes(made, type, sources, ranges);
                case DataType.ListOf list -> {
                    OffsetRuns offsets = OffsetRuns.rebase(made, cast(sources, OffsetColumn.class), ranges);
                    Column elements =
                            child(made, list.element(), sources, c -> ((ListColumn) c).elements(), offsets.below());
                    Buffer validity = validity(made, sources, ranges);
                    yield made.keep(new ListColumn(
                            list,
                            length,
                            offsets.buffer(),
                            offsets.width(),
                            elements,
                            validity,
                            0,
                            Column.UNKNOWN_NULLS));
                }
                case DataType.MapOf map -> {
                    OffsetRuns offsets = OffsetRuns.rebase(made, cast(sources, OffsetColumn.class), ranges);
                    Column keys = child(made, map.key(), sources, c -> ((MapColumn) c).keys(), offsets.below());
                    Column items = child(made, map.value(), sources, c -> ((MapColumn) c).items(), offsets.below());
                    Buffer validity = validity(made, sources, ranges);
                    yield made.keep(new MapColumn(
                            map,
                            length,
                            offsets.buffer(),
                            offsets.width(),
                            keys,
                            items,
                            validity,
                            0,
                            Column.UNKNOWN_NULLS));
                }
                case DataType.FixedList list -> {
                    Function<Column, Column> below = c -> ((FixedListColumn) c).elements();
                    Column elements = child(made, list.element(), sources, below, ranges.times(list.size()));
                    yield made.keep(new FixedListColumn(
                            list, length, elements, validity(made, sources, ranges), 0, Column.UNKNOWN_NULLS));
                }
                case DataType.Struct struct -> {
                    List<Column> children = new ArrayList<>();
                    for (int i = 0; i < struct.fields().size(); i++) {
                        int field = i;
                        DataType childType = struct.fields().get(i).type();
                        children.add(child(made, childType, sources, c -> ((StructColumn) c).child(field), ranges));
                    }
                    yield made.keep(new StructColumn(
                            struct, length, children, validity(made, sources, ranges), 0, Column.UNKNOWN_NULLS));
                }
                case DataType.VariableTensor tensor -> {
                    DataType shape = DataType.fixedList(DataType.INT32, tensor.dimensions());
                    DataType list = DataType.list(tensor.element());
                    Column data = child(made, list, sources, c -> ((VariableTensorColumn) c).data(), ranges);
                    Column shapes = child(made, shape, sources, c -> ((VariableTensorColumn) c).shapes(), ranges);
                    yield made.keep(new VariableTensorColumn(
                            tensor,
                            length,
                            (ListColumn) data,
                            (FixedListColumn) shapes,
                            validity(made, sources, ranges),
                            0,
                            Column.UNKNOWN_NULLS));
                }
                case DataType.Int _,
                        DataType.Float _,
                        DataType.Decimal _,
                        DataType.Date _,
                        DataType.Time _,
                        DataType.Timestamp _,
                        DataType.Duration _,
                        DataType.Tensor _ -> fixedWidth(made, type, sources, ranges);
            };
        }
    }

    private static Column child(
            ColumnParts made, DataType type, Column[] sources, Function<Column, Column> below, ValueRanges ranges) {
        Column[] children = Arrays.stream(sources).map(below).toArray(Column[]::new);
        return made.add(columns(made.allocator, type, children, ranges, made.copy));
    }

    private static Column fixedWidth(ColumnParts made, DataType type, Column[] sources, ValueRanges ranges) {
        FixedWidthColumn[] typed = cast(sources, FixedWidthColumn.class);
        int width = typed[0].byteWidth();
        Buffer data = made.buffer(ranges.total() * width);
        MemorySegment target = data.segment();
        long at = 0;
        for (int i = 0; i < ranges.size(); i++) {
            long bytes = ranges.count(i) * width;
            made.copy.copy(typed[ranges.source(i)].values(), ranges.from(i) * width, target, at, bytes);
            at += bytes;
        }
        Buffer validity = validity(made, sources, ranges);
        return made.keep(FixedWidthColumn.of(type, ranges.total(), data, validity, 0, Column.UNKNOWN_NULLS));
    }

    private static Column booleans(ColumnParts made, Column[] sources, ValueRanges ranges) {
        BooleanColumn[] typed = cast(sources, BooleanColumn.class);
        Buffer data = made.buffer((ranges.total() + 7) / 8);
        long at = 0;
        for (int i = 0; i < ranges.size(); i++) {
            BooleanColumn source = typed[ranges.source(i)];
            long bit = source.offset() + ranges.from(i);
            Bits.copy(source.dataBuffer().segment(), bit, data.segment(), at, ranges.count(i));
            at += ranges.count(i);
        }
        Buffer validity = validity(made, sources, ranges);
        return made.keep(new BooleanColumn(ranges.total(), data, validity, 0, Column.UNKNOWN_NULLS));
    }

    private static Column bytes(ColumnParts made, DataType type, Column[] sources, ValueRanges ranges) {
        VariableWidthColumn[] typed = cast(sources, VariableWidthColumn.class);
        OffsetRuns offsets = OffsetRuns.rebase(made, typed, ranges);
        ValueRanges below = offsets.below();
        Buffer data = made.buffer(below.total());
        MemorySegment target = data.segment();
        long at = 0;
        for (int i = 0; i < below.size(); i++) {
            made.copy.copy(typed[below.source(i)].dataSegment(), below.from(i), target, at, below.count(i));
            at += below.count(i);
        }
        Buffer validity = validity(made, sources, ranges);
        return made.keep(VariableWidthColumn.of(
                type, ranges.total(), offsets.buffer(), offsets.width(), data, validity, 0, Column.UNKNOWN_NULLS));
    }

    /// Indices into one dictionary are copied; into several, re-mapped to the merged one.
    private static Column dictionaries(
            ColumnParts made, DataType.Dictionary type, Column[] sources, ValueRanges ranges) {
        DictionaryColumn[] typed = cast(sources, DictionaryColumn.class);
        Column first = typed[0].dictionary();
        if (Arrays.stream(typed).allMatch(column -> column.dictionary() == first)) {
            Column indices = child(made, type.index(), sources, c -> ((DictionaryColumn) c).indices(), ranges);
            made.add(first.retain());
            return made.keep(new DictionaryColumn(type, (FixedWidthColumn) indices, first));
        }
        DictionaryMerge merge = DictionaryMerge.of(made.allocator, type, typed);
        made.add(merge.dictionary());
        Column indices = made.add(merge.indices(made.allocator, ranges));
        return made.keep(new DictionaryColumn(type, (FixedWidthColumn) indices, merge.dictionary()));
    }

    /// The validity of the runs, or null when none of the sources has nulls.
    static @Nullable Buffer validity(ColumnParts made, Column[] sources, ValueRanges ranges) {
        if (Arrays.stream(sources).noneMatch(Column::hasNulls)) {
            return null;
        }
        Buffer validity = made.buffer((ranges.total() + 7) / 8);
        long at = 0;
        for (int i = 0; i < ranges.size(); i++) {
            Column source = sources[ranges.source(i)];
            long count = ranges.count(i);
            if (source.hasNulls()) {
                long bit = source.validityOffset() + ranges.from(i);
                Buffer bits = requireNonNull(source.validityBuffer(), "a column with nulls has validity bits");
                Bits.copy(bits.segment(), bit, validity.segment(), at, count);
            } else {
                Bits.fill(validity.segment(), at, count, true);
            }
            at += count;
        }
        if (Bits.count(validity.segment(), 0, at) == at) {
            made.drop(validity);
            return null;
        }
        return validity;
    }

    @SuppressWarnings("unchecked")
    private static <C extends Column> C[] cast(Column[] sources, Class<C> to) {
        C[] typed = (C[]) Array.newInstance(to, sources.length);
        for (int i = 0; i < typed.length; i++) {
            typed[i] = to.cast(sources[i]);
        }
        return typed;
    }
}
