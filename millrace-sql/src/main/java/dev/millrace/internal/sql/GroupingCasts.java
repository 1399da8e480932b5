package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;

/// Makes implicit casts in grouping keys explicit. The validator adds them to an expression of GROUP BY
/// (`day > CAST('2024-01-31' AS DATE)`) but not to the equal one of SELECT; the two are then no longer recognised as
/// equal, and rows are wrong. So the casts are written into both expressions of the query, which is validated again.
final class GroupingCasts {
    private GroupingCasts() {}

    /// Whether the validator added casts to keys.
    ///
    /// @param written as parsed
    static boolean areMissing(SqlNode written, SqlNode checked) {
        return work(written, checked, false);
    }

    /// Copies the casts that the validator added to keys of `checked` into `query`.
    ///
    /// @param query the same query as parsed; modified
    static void write(SqlNode query, SqlNode checked) {
        work(query, checked, true);
    }

    private static boolean work(SqlNode query, SqlNode checked, boolean write) {
        List<SqlSelect> before = grouped(query);
        List<SqlSelect> after = before.isEmpty() ? List.of() : grouped(checked);
        boolean any = false;
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            List<SqlNode> keys = leaves(before.get(i).getGroup());
            List<SqlNode> checkedKeys = leaves(after.get(i).getGroup());
            for (int j = 0; j < Math.min(keys.size(), checkedKeys.size()); j++) {
                SqlNode key = resolved(keys.get(j), before.get(i));
                if (casts(checkedKeys.get(j)) > casts(key)) {
                    requireSame(before.size() == after.size() && keys.size() == checkedKeys.size(), key);
                    any = true;
                    if (write) {
                        replace(before.get(i), key, checkedKeys.get(j));
                    }
                }
            }
        }
        return any;
    }

    private static void requireSame(boolean same, SqlNode key) {
        if (!same) {
            throw RexTranslator.unsupported(
                    "GROUP BY " + key
                            + " with a comparison of different types, such as of a date with a text, without a"
                            + " CAST that is written",
                    "Write the type, as in date '2024-01-31', or the CAST, both in SELECT and in GROUP BY.");
        }
    }

    private static List<SqlSelect> grouped(SqlNode query) {
        List<SqlSelect> found = new ArrayList<>();
        query.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                if (call instanceof SqlSelect select && select.getGroup() != null) {
                    found.add(select);
                }
                return super.visit(call);
            }
        });
        return found;
    }

    /// The keys, including those of grouping sets.
    private static List<SqlNode> leaves(SqlNodeList keys) {
        List<SqlNode> leaves = new ArrayList<>();
        for (SqlNode key : keys) {
            if (key instanceof SqlBasicCall sets && SqlOperators.isGroupingSets(sets)) {
                leaves.addAll(leaves(new SqlNodeList(sets.getOperandList(), SqlParserPos.ZERO)));
            } else if (key instanceof SqlNodeList list) {
                leaves.addAll(leaves(list));
            } else {
                leaves.add(key);
            }
        }
        return leaves;
    }

    /// The expression of a key that is the position or the alias of a SELECT column.
    private static SqlNode resolved(SqlNode key, SqlSelect select) {
        List<SqlNode> items = select.getSelectList();
        if (key instanceof SqlNumericLiteral number && number.isInteger()) {
            int place = number.intValue(false);
            return place >= 1 && place <= items.size() ? withoutAlias(items.get(place - 1)) : key;
        }
        if (key instanceof SqlIdentifier name && name.isSimple()) {
            for (SqlNode item : items) {
                if (item.getKind() == SqlKind.AS
                        && ((SqlCall) item).operand(1) instanceof SqlIdentifier alias
                        && alias.getSimple().equalsIgnoreCase(name.getSimple())) {
                    return withoutAlias(item);
                }
            }
        }
        return key;
    }

    private static SqlNode withoutAlias(SqlNode item) {
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    private static int casts(SqlNode node) {
        int[] casts = {0};
        node.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                casts[0] += call.getKind() == SqlKind.CAST ? 1 : 0;
                return super.visit(call);
            }
        });
        return casts[0];
    }

    private static void replace(SqlSelect select, SqlNode key, SqlNode by) {
        SqlShuttle replacing = new SqlShuttle() {
            @Override
            public SqlNode visit(SqlCall call) {
                return call.equalsDeep(key, Litmus.IGNORE) ? SqlNode.clone(by) : super.visit(call);
            }

            @Override
            public SqlNode visit(SqlLiteral literal) {
                return literal;
            }
        };
        select.setSelectList((SqlNodeList) select.getSelectList().accept(replacing));
        select.setGroupBy((SqlNodeList) select.getGroup().accept(replacing));
        if (select.getHaving() != null) {
            select.setHaving(select.getHaving().accept(replacing));
        }
    }
}
