package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/// The operators and functions of a query: those of [ScalarFunctions], [AggregateCalls] and [DialectOperators], and the
/// standard's. The former hide the standard's functions of the same name.
final class SqlOperators implements SqlOperatorTable {
    /// Aggregates that do not ignore nulls.
    private static final Set<String> KEEP_NULLS = Set.of("FIRST", "LAST", "LIST", "ARRAY_AGG");

    static final SqlOperators INSTANCE = new SqlOperators();

    private final SqlOperatorTable own;
    private final SqlOperatorTable standard = SqlStdOperatorTable.instance();

    private SqlOperators() {
        List<SqlOperator> operators = new ArrayList<>(
                List.of(SqlLibraryOperators.ILIKE, SqlLibraryOperators.NOT_ILIKE, SqlLibraryOperators.TRY_CAST));
        operators.addAll(DialectOperators.OPERATORS);
        operators.addAll(ScalarFunctions.operators());
        operators.addAll(AggregateCalls.operators());
        own = SqlOperatorTables.of(operators);
    }

    /// The query with this dialect's operators in place of the parser's, and with IN lists as comparisons, because the
    /// converter does not support lists everywhere.
    static SqlNode replaced(SqlNode query) {
        return query.accept(new SqlShuttle() {
            @Override
            public SqlNode visit(SqlCall call) {
                SqlNode visited = super.visit(call);
                if (visited instanceof SqlSelect select && select.getGroup() != null) {
                    select.setGroupBy(constants(select.getGroup()));
                }
                return visited instanceof SqlBasicCall basic ? replacement(basic) : visited;
            }
        });
    }

    /// Turns keys that are non-integral numbers into expressions: only integers are positions of columns.
    private static SqlNodeList constants(SqlNodeList keys) {
        List<SqlNode> replaced = new ArrayList<>();
        for (SqlNode key : keys) {
            boolean fraction = key instanceof SqlNumericLiteral number && !number.isInteger();
            if (fraction) {
                replaced.add(SqlStdOperatorTable.UNARY_PLUS.createCall(key.getParserPosition(), key));
            } else if (key instanceof SqlBasicCall sets && RepeatedKeys.areIn(sets)) {
                replaced.add(RepeatedKeys.asSets(sets));
            } else if (key instanceof SqlBasicCall sets && isGroupingSets(sets)) {
                SqlNodeList inner = constants(new SqlNodeList(sets.getOperandList(), sets.getParserPosition()));
                replaced.add(new SqlBasicCall(sets.getOperator(), inner, sets.getParserPosition()));
            } else {
                replaced.add(key);
            }
        }
        return new SqlNodeList(replaced, keys.getParserPosition());
    }

    static boolean isGroupingSets(SqlBasicCall call) {
        return switch (call.getKind()) {
            case ROLLUP, CUBE, GROUPING_SETS, ROW -> true;
            default -> false;
        };
    }

    private static SqlNode replacement(SqlBasicCall call) {
        SqlNode dialect = DialectOperators.of(call);
        if (dialect != null) {
            return dialect;
        }
        if (call.getKind() == SqlKind.FILTER && call.operand(0) instanceof SqlBasicCall aggregate) {
            return filtered(call, aggregate);
        }
        boolean in = call.getOperator().equals(SqlStdOperatorTable.IN);
        if ((in || call.getOperator().equals(SqlStdOperatorTable.NOT_IN))
                && call.operand(1) instanceof SqlNodeList list
                && call.operand(0).getKind() != SqlKind.ROW) {
            SqlParserPos place = call.getParserPosition();
            SqlNode any = equalsAny(call.operand(0), list.getList(), place);
            return in ? any : SqlStdOperatorTable.NOT.createCall(place, any);
        }
        return call;
    }

    /// A balanced tree, whose depth fits the stack for any number of values.
    private static SqlNode equalsAny(SqlNode tested, List<? extends SqlNode> values, SqlParserPos place) {
        if (values.size() == 1) {
            return SqlStdOperatorTable.EQUALS.createCall(place, tested, values.getFirst());
        }
        int half = values.size() / 2;
        return SqlStdOperatorTable.OR.createCall(
                place,
                equalsAny(tested, values.subList(0, half), place),
                equalsAny(tested, values.subList(half, values.size()), place));
    }

    /// Rewrites `sum(x) FILTER (WHERE c)` to `sum(CASE WHEN c THEN x END)`, for aggregates that ignore nulls: this form
    /// is also allowed in windows, and has the type that the validator infers.
    private static SqlNode filtered(SqlBasicCall call, SqlBasicCall aggregate) {
        String name = aggregate.getOperator().getName().toUpperCase(Locale.ROOT);
        if (aggregate.operandCount() > 1 || KEEP_NULLS.contains(name)) {
            return call;
        }
        SqlParserPos place = call.getParserPosition();
        boolean rows = aggregate.operandCount() == 0
                || aggregate.operand(0) instanceof SqlIdentifier identifier && identifier.isStar();
        SqlNode value = rows ? SqlLiteral.createExactNumeric("1", place) : aggregate.operand(0);
        SqlNode kept = new SqlCase(
                place, null, SqlNodeList.of(call.operand(1)), SqlNodeList.of(value), SqlLiteral.createNull(place));
        return new SqlBasicCall(aggregate.getOperator(), List.of(kept), place, aggregate.getFunctionQuantifier());
    }

    /// The names in upper case.
    static Set<String> functionNames() {
        Set<String> names = new TreeSet<>();
        for (SqlOperator operator : INSTANCE.getOperatorList()) {
            if (operator instanceof SqlFunction
                    && Character.isLetter(operator.getName().charAt(0))) {
                names.add(operator.getName().toUpperCase(Locale.ROOT));
            }
        }
        return names;
    }

    @Override
    public void lookupOperatorOverloads(
            SqlIdentifier name,
            SqlFunctionCategory category,
            SqlSyntax syntax,
            List<SqlOperator> found,
            SqlNameMatcher matcher) {
        int before = found.size();
        own.lookupOperatorOverloads(name, category, syntax, found, matcher);
        if (found.size() == before) {
            standard.lookupOperatorOverloads(name, category, syntax, found, matcher);
        }
    }

    @Override
    public List<SqlOperator> getOperatorList() {
        List<SqlOperator> all = new ArrayList<>(own.getOperatorList());
        all.addAll(standard.getOperatorList());
        return all;
    }
}
