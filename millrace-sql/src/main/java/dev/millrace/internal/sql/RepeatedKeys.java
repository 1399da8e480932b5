package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;

/// Expands `ROLLUP (a, a)` and `CUBE (a, a)`, whose duplicate sets of keys Calcite drops, to grouping sets:
/// `GROUPING SETS ((a), (a), ())`.
final class RepeatedKeys {
    private static final int MAX_CUBE = 10;

    private RepeatedKeys() {}

    static boolean areIn(SqlBasicCall sets) {
        List<SqlNode> keys = sets.getOperandList();
        boolean listed = sets.getKind() == SqlKind.ROLLUP || sets.getKind() == SqlKind.CUBE && keys.size() <= MAX_CUBE;
        return listed
                && keys.stream().noneMatch(key -> key.getKind() == SqlKind.ROW)
                && distinct(keys).size() < keys.size();
    }

    static SqlNode asSets(SqlBasicCall sets) {
        List<SqlNode> keys = sets.getOperandList();
        SqlParserPos place = sets.getParserPosition();
        List<SqlNode> all = new ArrayList<>();
        if (sets.getKind() == SqlKind.ROLLUP) {
            for (int count = keys.size(); count >= 0; count--) {
                all.add(row(keys.subList(0, count), place));
            }
        } else {
            for (int chosen = 0; chosen < 1 << keys.size(); chosen++) {
                List<SqlNode> some = new ArrayList<>();
                for (int i = 0; i < keys.size(); i++) {
                    if ((chosen >> i & 1) != 0) {
                        some.add(keys.get(i));
                    }
                }
                all.add(row(some, place));
            }
        }
        return SqlStdOperatorTable.GROUPING_SETS.createCall(place, all);
    }

    private static SqlNode row(List<SqlNode> keys, SqlParserPos place) {
        return SqlStdOperatorTable.ROW.createCall(new SqlNodeList(distinct(keys), place));
    }

    private static List<SqlNode> distinct(List<SqlNode> keys) {
        List<SqlNode> distinct = new ArrayList<>();
        for (SqlNode key : keys) {
            if (distinct.stream().noneMatch(other -> other.equalsDeep(key, Litmus.IGNORE))) {
                distinct.add(key);
            }
        }
        return distinct;
    }
}
