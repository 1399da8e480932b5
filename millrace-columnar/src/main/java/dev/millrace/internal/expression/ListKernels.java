package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.expression.NestedFunction;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.aggregate.GroupIds;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// Lists of elements of other lists, chosen by position and gathered at once. Elements are compared by the kernels that
/// sort and group rows: NaN equals NaN, `-0.0` equals `0.0`.
final class ListKernels {
    private static final String ELEMENT = "element";

    private ListKernels() {}

    /// One list from each list, of its elements.
    static final class Chosen extends ExpressionNode {
        private final NestedFunction function;
        private final ExpressionNode input;

        Chosen(NestedFunction function, DataType type, ExpressionNode input) {
            super(type);
            this.function = function;
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                ListElements lists = ListElements.of(held.column());
                ListOutput out = new ListOutput(rows.count(), lists.total());
                return switch (function) {
                    case LIST_SORT -> sorted(lists, false, rows);
                    case LIST_SORT_DESCENDING -> sorted(lists, true, rows);
                    case LIST_DISTINCT -> {
                        distinct(lists, out, rows);
                        yield out.build(type(), lists.column(), rows.allocator());
                    }
                    case FLATTEN -> {
                        ListElements inner = ListElements.of(lists.column());
                        flatten(lists, inner, out, rows);
                        yield out.build(type(), inner.column(), rows.allocator());
                    }
                    default -> {
                        reverse(lists, out, rows);
                        yield out.build(type(), lists.column(), rows.allocator());
                    }
                };
            }
        }

        /// All elements are sorted at once and then dealt out to their lists in that order.
        private Column sorted(ListElements lists, boolean descending, EvaluationRows rows) {
            ListOutput plain = new ListOutput(rows.count(), lists.total());
            inOrder(lists, plain, rows);
            int[] owners = new int[plain.count()];
            int[] next = new int[Math.toIntExact(rows.count())];
            int at = 0;
            for (int row = 0; row < next.length; row++) {
                next[row] = at;
                for (int i = lists.count(row); i > 0; i--) {
                    owners[at++] = row;
                }
            }
            Column elements = GatherKernel.take(rows.allocator(), lists.column(), plain.positions(), plain.count());
            try (HeldColumn _ = new HeldColumn(elements);
                    Block block = Block.sharing(schema(elements), List.of(elements), elements.length());
                    RowOrder order = RowOrder.of(rows.allocator(), block, List.of(new SortKey(ELEMENT, descending)))) {
                int[] places = plain.positions();
                for (int i = 0; i < owners.length; i++) {
                    int element = (int) order.row(i);
                    places[next[owners[element]]++] = element;
                }
                return plain.build(type(), elements, rows.allocator());
            }
        }

        private static void inOrder(ListElements lists, ListOutput out, EvaluationRows rows) {
            for (long row = 0; row < rows.count(); row++) {
                if (lists.isNull(row)) {
                    out.endNull();
                    continue;
                }
                for (int i = lists.start(row); i < lists.end(row); i++) {
                    out.add(i);
                }
                out.end();
            }
        }

        private static void reverse(ListElements lists, ListOutput out, EvaluationRows rows) {
            for (long row = 0; row < rows.count(); row++) {
                if (lists.isNull(row)) {
                    out.endNull();
                    continue;
                }
                for (int i = lists.end(row) - 1; i >= lists.start(row); i--) {
                    out.add(i);
                }
                out.end();
            }
        }

        private static void flatten(ListElements lists, ListElements inner, ListOutput out, EvaluationRows rows) {
            for (long row = 0; row < rows.count(); row++) {
                if (lists.isNull(row)) {
                    out.endNull();
                    continue;
                }
                for (int list = lists.start(row); list < lists.end(row); list++) {
                    for (int i = 0; i < inner.count(list); i++) {
                        out.add(inner.start(list) + i);
                    }
                }
                out.end();
            }
        }

        private static void distinct(ListElements lists, ListOutput out, EvaluationRows rows) {
            try (HeldColumn held = new HeldColumn(ids(lists.column(), rows.allocator()))) {
                IntColumn ids = (IntColumn) held.column();
                IdSet seen = new IdSet(ids);
                for (int row = 0; row < rows.count(); row++) {
                    if (lists.isNull(row)) {
                        out.endNull();
                        continue;
                    }
                    seen.next();
                    for (int i = lists.start(row); i < lists.end(row); i++) {
                        if (seen.add(ids.get(i))) {
                            out.add(i);
                        }
                    }
                    out.end();
                }
            }
        }
    }

    /// One list from two lists of one type; nulls are left out of the set operations.
    static final class Combined extends ExpressionNode {
        private final NestedFunction function;
        private final ExpressionNode left;
        private final ExpressionNode right;

        Combined(NestedFunction function, DataType type, ExpressionNode left, ExpressionNode right) {
            super(type);
            this.function = function;
            this.left = left;
            this.right = right;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn first = left.values(rows);
                    HeldColumn second = right.values(rows)) {
                ListElements a = ListElements.of(first.column());
                ListElements b = ListElements.of(second.column());
                Column both = ConcatenateKernel.columns(rows.allocator(), List.of(a.column(), b.column()));
                try (HeldColumn _ = new HeldColumn(both)) {
                    ListOutput out = new ListOutput(rows.count(), a.total());
                    int shift = Math.toIntExact(a.column().length());
                    if (function == NestedFunction.LIST_CONCAT) {
                        concatenate(a, b, shift, out, rows);
                    } else {
                        try (HeldColumn ids = new HeldColumn(ids(both, rows.allocator()))) {
                            combine(a, b, both, (IntColumn) ids.column(), shift, out, rows);
                        }
                    }
                    return out.build(type(), both, rows.allocator());
                }
            }
        }

        private static void concatenate(
                ListElements a, ListElements b, int shift, ListOutput out, EvaluationRows rows) {
            for (long row = 0; row < rows.count(); row++) {
                if (a.isNull(row) || b.isNull(row)) {
                    out.endNull();
                    continue;
                }
                for (int i = a.start(row); i < a.end(row); i++) {
                    out.add(i);
                }
                for (int i = b.start(row); i < b.end(row); i++) {
                    out.add(shift + i);
                }
                out.end();
            }
        }

        private void combine(
                ListElements a,
                ListElements b,
                Column both,
                IntColumn ids,
                int shift,
                ListOutput out,
                EvaluationRows rows) {
            IdSet other = new IdSet(ids);
            IdSet seen = new IdSet(ids);
            for (long row = 0; row < rows.count(); row++) {
                if (a.isNull(row) || b.isNull(row)) {
                    out.endNull();
                    continue;
                }
                other.next();
                seen.next();
                for (int i = shift + b.start(row); i < shift + b.end(row); i++) {
                    other.add(ids.get(i));
                }
                for (int i = a.start(row); i < a.end(row); i++) {
                    boolean wanted = function == NestedFunction.LIST_UNION
                            || other.has(ids.get(i)) == (function == NestedFunction.LIST_INTERSECT);
                    if (!both.isNull(i) && wanted && seen.add(ids.get(i))) {
                        out.add(i);
                    }
                }
                for (int i = shift + b.start(row);
                        function == NestedFunction.LIST_UNION && i < shift + b.end(row);
                        i++) {
                    if (!both.isNull(i) && seen.add(ids.get(i))) {
                        out.add(i);
                    }
                }
                out.end();
            }
        }
    }

    /// Whether a list has one, or all, of the elements of another that are not null.
    static final class HasElements extends PredicateNode {
        private final boolean all;
        private final ExpressionNode left;
        private final ExpressionNode right;

        HasElements(boolean all, ExpressionNode left, ExpressionNode right) {
            this.all = all;
            this.left = left;
            this.right = right;
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            try (HeldColumn first = left.values(rows);
                    HeldColumn second = right.values(rows)) {
                ListElements a = ListElements.of(first.column());
                ListElements b = ListElements.of(second.column());
                Column both = ConcatenateKernel.columns(rows.allocator(), List.of(a.column(), b.column()));
                try (HeldColumn _ = new HeldColumn(both);
                        HeldColumn held = new HeldColumn(ids(both, rows.allocator()))) {
                    IntColumn ids = (IntColumn) held.column();
                    int shift = Math.toIntExact(a.column().length());
                    long[] yes = new long[BitWords.words(rows.count())];
                    IdSet have = new IdSet(ids);
                    for (long row = 0; row < rows.count(); row++) {
                        have.next();
                        for (int i = a.start(row); i < a.start(row) + a.count(row); i++) {
                            have.add(ids.get(i));
                        }
                        boolean result = all;
                        for (int i = shift + b.start(row); i < shift + b.start(row) + b.count(row); i++) {
                            boolean has = !both.isNull(i) && have.has(ids.get(i));
                            result = all ? result && (has || both.isNull(i)) : result || has;
                        }
                        if (result) {
                            BitWords.set(yes, row);
                        }
                    }
                    long[] valid = BitWords.both(BitWords.valid(first.column()), BitWords.valid(second.column()));
                    return TruthBits.of(yes, valid, rows.count());
                }
            }
        }
    }

    /// A number for each element, equal for equal elements.
    private static IntColumn ids(Column elements, Allocator allocator) {
        try (Block block = Block.sharing(schema(elements), List.of(elements), elements.length())) {
            return GroupIds.of(allocator, block, List.of(ELEMENT));
        }
    }

    private static Schema schema(Column elements) {
        return Schema.of(ELEMENT, elements.type());
    }

    /// A set of ids that is emptied in constant time.
    private static final class IdSet {
        private final int[] marks;
        private int mark;

        IdSet(IntColumn ids) {
            int most = -1;
            for (long i = 0; i < ids.length(); i++) {
                most = Math.max(most, ids.get(i));
            }
            this.marks = new int[most + 1];
        }

        void next() {
            mark++;
        }

        boolean add(int id) {
            boolean added = marks[id] != mark;
            marks[id] = mark;
            return added;
        }

        boolean has(int id) {
            return marks[id] == mark;
        }
    }
}
