package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/// Refuses what would be computed wrongly: the validator puts casts into an expression of SELECT and not into the equal
/// one of GROUP BY, and the two are no longer found to be the same.
final class ImplicitCasts {
    private ImplicitCasts() {}

    /// @param written as parsed
    /// @param checked after the validator
    static void check(SqlNode written, SqlNode checked) {
        Finder before = new Finder();
        written.accept(before);
        Finder after = new Finder();
        checked.accept(after);
        if (after.casts > before.casts && !before.keys.isEmpty()) {
            throw RexTranslator.unsupported("GROUP BY " + before.keys.getFirst()
                    + " beside comparisons of different types, such as of a date with a text,"
                    + " without a CAST that is written");
        }
    }

    private static final class Finder extends SqlBasicVisitor<Void> {
        private final List<SqlNode> keys = new ArrayList<>();
        private int casts;

        @Override
        public Void visit(SqlCall call) {
            casts += call.getKind() == SqlKind.CAST ? 1 : 0;
            if (call instanceof SqlSelect select && select.getGroup() != null) {
                for (SqlNode key : select.getGroup()) {
                    if (!(key instanceof SqlIdentifier) && !(key instanceof SqlLiteral)) {
                        keys.add(key);
                    }
                }
            }
            return super.visit(call);
        }
    }
}
