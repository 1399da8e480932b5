package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The value of the first branch whose condition is true, else `otherwise`. A condition that is null does not hold.
public record Conditional(List<Branch> branches, Expression otherwise) implements Expression {

    /// What holds, and the value where it does.
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

    /// `when(a).then(x)`, which may go on with `.when(b).then(y)` and ends with `.otherwise(z)`, or with
    /// [Then#orNull].
    public static final class Builder {
        private final List<Branch> branches;
        private final Expression condition;

        Builder(List<Branch> branches, Expression condition) {
            this.branches = branches;
            this.condition = condition;
        }

        /// The value where the condition holds.
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

        /// What is asked where no condition before it held.
        public Builder when(Expression condition) {
            return new Builder(branches, condition);
        }

        /// The value where no condition held.
        public Expression otherwise(@Nullable Object value) {
            return new Conditional(branches, Expression.of(value));
        }

        /// Null where no condition holds.
        public Expression orNull() {
            return otherwise(null);
        }
    }
}
