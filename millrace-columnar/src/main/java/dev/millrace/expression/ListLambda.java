package dev.millrace.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// An expression computed for each element of a list: a list of its results, or of the elements for which it is true.
///
/// @param element the name by which `body` refers to the element
/// @param names the columns of the row that `body` reads, in the order of `captured`
/// @param body over the element and `names`; no child, since it has another schema
public record ListLambda(
        Kind kind, Expression list, String element, List<String> names, List<Expression> captured, Expression body)
        implements Expression {

    /// What becomes of the results.
    public enum Kind {
        /// They are the elements of the new list.
        MAP,
        /// The elements for which they are true are kept.
        FILTER
    }

    /// How deeply the lambdas under construction are nested, so that each has its own name for its element.
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    public ListLambda {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(list, "list");
        Objects.requireNonNull(element, "element");
        Objects.requireNonNull(body, "body");
        names = List.copyOf(names);
        captured = List.copyOf(captured);
    }

    static ListLambda of(Kind kind, Expression list, UnaryOperator<Expression> function) {
        int depth = DEPTH.get();
        String element = depth == 0 ? "[element]" : "[element " + (depth + 1) + "]";
        DEPTH.set(depth + 1);
        Expression body;
        try {
            body = Objects.requireNonNull(function.apply(new ColumnReference(element)), "the expression of an element");
        } finally {
            DEPTH.set(depth);
        }
        List<String> names =
                body.columns().stream().filter(name -> !name.equals(element)).toList();
        List<Expression> captured = new ArrayList<>();
        names.forEach(name -> captured.add(new ColumnReference(name)));
        return new ListLambda(kind, list, element, names, captured, body);
    }

    @Override
    public List<Expression> children() {
        List<Expression> children = new ArrayList<>();
        children.add(list);
        children.addAll(captured);
        return List.copyOf(children);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new ListLambda(kind, children.getFirst(), element, names, children.subList(1, children.size()), body);
    }

    @Override
    public String toString() {
        return (kind == Kind.MAP ? "list_map(" : "list_filter(") + list + ", " + body + ")";
    }
}
