package dev.millrace.internal.sql;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.SqlProvider;
import dev.millrace.SqlTable;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.thread.DeepStack;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/// Translates queries by Calcite's parser, validator and converter.
public final class CalciteSql implements SqlProvider {
    static {
        // With -ea, Calcite rejects expressions that it creates itself, because of their nullability: projections for
        // duplicate grouping sets, where it infers that an aggregate is never null, and calls whose operands it has
        // simplified to ones that are never null. Nothing here depends on these checks.
        for (Class<?> asserting : List.of(Project.class, RexSimplify.class)) {
            asserting.getClassLoader().setClassAssertionStatus(asserting.getName(), false);
        }
    }

    private static final SqlValidator.Config CHECKS = SqlValidator.Config.DEFAULT
            .withConformance(SqlConformanceEnum.LENIENT)
            .withDefaultNullCollation(NullCollation.LAST)
            .withTypeCoercionFactory(TypeCoercion::new)
            .withTypeCoercionRules(SqlCasts.RULES);
    /// Projections are not merged on creation: those with correlated subqueries would mix up columns.
    private static final SqlToRelConverter.Config CONVERSION = SqlToRelConverter.config()
            .withExpand(false)
            .withInSubQueryThreshold(Integer.MAX_VALUE)
            .addRelBuilderConfigTransform(config -> config.withBloat(-1));

    @Override
    public List<String> files(String sql) {
        return QueryFiles.paths(sql);
    }

    @Override
    public Dataset query(Session session, String sql, Map<String, SqlTable> tables) {
        return DeepStack.call(() -> dataset(session, sql, tables));
    }

    private static Dataset dataset(Session session, String sql, Map<String, SqlTable> tables) {
        Set<String> words = names(tables);
        // Validation modifies the parse tree.
        QueryParser.Parsed written = QueryParser.parse(sql, words);
        List<Map.Entry<Integer, String>> fields = new ArrayList<>();
        RelNode plan = plan(sql, words, written.query(), tables, fields);
        TranslatedRelation rows = new RelTranslator(session).translate(plan);
        List<String> names = OutputNames.of(written, fields);
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(rows.column(fields.get(i).getKey()).as(names.get(i)));
        }
        return rows.dataset().select(columns.toArray(Expression[]::new));
    }

    private static Set<String> names(Map<String, SqlTable> tables) {
        Set<String> names = new HashSet<>();
        tables.forEach((name, table) -> {
            names.add(name.toLowerCase(Locale.ROOT));
            table.dataset().columns().forEach(column -> names.add(column.toLowerCase(Locale.ROOT)));
        });
        return names;
    }

    /// @param words names of tables and columns
    /// @param written as parsed
    /// @param fields receives the positions and names of the output columns
    private static RelNode plan(
            String sql,
            Set<String> words,
            SqlNode written,
            Map<String, SqlTable> tables,
            List<Map.Entry<Integer, String>> fields) {
        QueryParser.Parsed parsed = QueryParser.parse(sql, words);
        try {
            SqlTypeFactory types = new SqlTypeFactory();
            CalciteCatalogReader catalog = QueryCatalog.of(tables, types);
            SqlValidator validator = validator(catalog, types);
            SqlNode checked = validator.validate(SqlOperators.replaced(parsed.query()));
            if (GroupingCasts.areMissing(written, checked)) {
                SqlNode again = QueryParser.parse(sql, words).query();
                GroupingCasts.write(again, checked);
                validator = validator(catalog, types);
                checked = validator.validate(SqlOperators.replaced(again));
            }
            RelOptCluster cluster = QueryPlanner.cluster(types);
            RelRoot root = new SqlToRelConverter(
                            null, validator, catalog, cluster, StandardConvertletTable.INSTANCE, CONVERSION)
                    .convertQuery(checked, false, true);
            fields.addAll(root.fields);
            return QueryPlanner.plan(root.rel);
        } catch (CalciteContextException e) {
            throw SqlErrors.checking(e, parsed.text(), tables);
        } catch (MillraceException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            throw SqlErrors.planning(e);
        }
    }

    private static SqlValidator validator(CalciteCatalogReader catalog, SqlTypeFactory types) {
        return SqlValidatorUtil.newValidator(SqlOperators.INSTANCE, catalog, types, CHECKS);
    }
}
