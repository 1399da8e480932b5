package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The value of the first branch whose condition is true, else `otherwise`. A null condition is not true.
public record Conditional(List<Branch> branches, Expression otherwise) implements Expression {

    /// A condition and its value.
    public record Branch(Expression condition, Expression value) implements Serializable {
        public Branch {
            Objects.requireNonNull(condition, "condition");
            Objects.requireNonNull(value, "value");
        }
    }

    public Conditional {
        branches = List.copyOf(branches);
        Objects.requireNonNull(otherwise, "otherwise");
        if (branches.isEmpty()) {
            throw MillraceException.user("when(...) needs at least one .then(...).");
        }
    }

    @Override
    public List<Expression> children() {
        List<Expression> children = new ArrayList<>();
        for (Branch branch : branches) {
            children.add(branch.condition());
            children.add(branch.value());
        }
        children.add(otherwise);
        return children;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        List<Branch> replaced = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            replaced.add(new Branch(children.get(2 * i), children.get(2 * i + 1)));
        }
        return new Conditional(replaced, children.getLast());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("case");
        for (Branch branch : branches) {
            text.append(" when ")
                    .append(branch.condition())
                    .append(" then ")
                    .append(Expression.operand(branch.value()));
        }
        return text.append(" else ")
                .append(Expression.operand(otherwise))
                .append(" end")
                .toString();
    }

    /// `when(a).then(x)`, which may continue with `.when(b).then(y)` and ends with `.otherwise(z)` or [Then#orNull].
    public static final class Builder {
        private final List<Branch> branches;
        private final Expression condition;

        Builder(List<Branch> branches, Expression condition) {
            this.branches = branches;
            this.condition = condition;
        }

        /// The value if the condition is true.
        public Then then(@Nullable Object value) {
            List<Branch> more = new ArrayList<>(branches);
            more.add(new Branch(condition, Expression.of(value)));
            return new Then(List.copyOf(more));
        }
    }

    /// One or more branches, not yet an expression.
    public static final class Then {
        private final List<Branch> branches;

        Then(List<Branch> branches) {
            this.branches = branches;
        }

        /// The next condition, checked if no condition before it is true.
        public Builder when(Expression condition) {
            return new Builder(branches, condition);
        }

        /// The value if no condition is true.
        public Expression otherwise(@Nullable Object value) {
            return new Conditional(branches, Expression.of(value));
        }

        /// Null if no condition is true.
        public Expression orNull() {
            return otherwise(null);
        }
    }
}
