package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/// Refuses what would be computed wrongly: the validator puts casts into one of two equal expressions, of SELECT and of
/// GROUP BY, and not into the other, and the two are no longer found to be the same.
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
            throw RexTranslator.unsupported(
                    "GROUP BY " + before.keys.getFirst()
                            + " beside comparisons of different types, such as of a date with a text, without a CAST"
                            + " that is written",
                    "Write the type, as in date '2024-01-31', or the CAST, both in SELECT and in GROUP BY.");
        }
    }

    /// Counts casts of the keys, where they are expressions, and of what is computed after grouping.
    private static final class Finder extends SqlBasicVisitor<Void> {
        private final List<SqlNode> keys = new ArrayList<>();
        private int casts;
        private boolean inGroups;

        @Override
        public Void visit(SqlCall call) {
            casts += inGroups && call.getKind() == SqlKind.CAST ? 1 : 0;
            if (!(call instanceof SqlSelect select)) {
                return super.visit(call);
            }
            boolean outer = inGroups;
            boolean grouped = false;
            for (SqlNode key : select.getGroup() == null ? SqlNodeList.EMPTY : select.getGroup()) {
                if (!(key instanceof SqlIdentifier) && !(key instanceof SqlLiteral)) {
                    keys.add(key);
                    grouped = true;
                }
            }
            for (SqlNode part : select.getOperandList()) {
                boolean before = part == select.getFrom() || part == select.getWhere();
                inGroups = grouped && !before;
                if (part != null) {
                    part.accept(this);
                }
            }
            inGroups = outer;
            return null;
        }
    }
}
