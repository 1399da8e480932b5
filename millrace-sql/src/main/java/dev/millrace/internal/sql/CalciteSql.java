package dev.millrace.internal.sql;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.sql.SqlProvider;
import dev.millrace.sql.SqlTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/// Queries by Calcite's parser, validator and converter.
public final class CalciteSql implements SqlProvider {
    private static final SqlParser.Config GRAMMAR = SqlParser.config()
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(false)
            .withConformance(SqlConformanceEnum.LENIENT);
    private static final SqlValidator.Config CHECKS = SqlValidator.Config.DEFAULT
            .withConformance(SqlConformanceEnum.LENIENT)
            .withDefaultNullCollation(NullCollation.LAST);
    private static final SqlToRelConverter.Config CONVERSION =
            SqlToRelConverter.config().withExpand(false).withInSubQueryThreshold(Integer.MAX_VALUE);

    @Override
    public Dataset query(Session session, String sql, Map<String, SqlTable> tables) {
        SqlNode parsed = parse(sql);
        List<Map.Entry<Integer, String>> fields = new ArrayList<>();
        RelNode plan = plan(SqlOperators.replaced(parsed), tables, fields);
        Relation rows = new RelTranslator(session).translate(plan);
        List<String> names = OutputNames.of(sql, parse(sql), fields);
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(rows.column(fields.get(i).getKey()).as(names.get(i)));
        }
        return rows.dataset().select(columns.toArray(Expression[]::new));
    }

    private static SqlNode parse(String sql) {
        try {
            return SqlParser.create(sql, GRAMMAR).parseQuery();
        } catch (SqlParseException e) {
            throw SqlErrors.parsing(e);
        }
    }

    /// @param fields filled with the positions and names of the columns that are wanted
    private static RelNode plan(
            SqlNode parsed, Map<String, SqlTable> tables, List<Map.Entry<Integer, String>> fields) {
        try {
            SqlTypeFactory types = new SqlTypeFactory();
            CalciteCatalogReader catalog = Catalog.of(tables, types);
            SqlValidator validator =
                    SqlValidatorUtil.newValidator(SqlOperators.INSTANCE, catalog, types, CHECKS);
            SqlNode checked = validator.validate(parsed);
            RelOptCluster cluster = QueryPlanner.cluster(types);
            RelRoot root = new SqlToRelConverter(
                            null, validator, catalog, cluster, StandardConvertletTable.INSTANCE, CONVERSION)
                    .convertQuery(checked, false, true);
            fields.addAll(root.fields);
            return QueryPlanner.plan(root.rel);
        } catch (CalciteContextException e) {
            throw SqlErrors.checking(e, tables);
        } catch (MillraceException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            throw SqlErrors.planning(e);
        }
    }
}
