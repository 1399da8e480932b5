package dev.millrace.internal.sql;

import dev.millrace.SqlTable;
import dev.millrace.error.MillraceException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.RelBuilder;

/// A query whose names and types are resolved by Calcite's validator. It may be planned several times.
final class CheckedQuery {
    static {
        // With -ea, Calcite rejects expressions that it creates itself, because of their nullability: projections for
        // duplicate grouping sets, where it infers that an aggregate is never null, filters over these, and calls whose
        // operands it has simplified to ones that are never null. Nothing here depends on these checks.
        for (Class<?> asserting : List.of(Filter.class, Project.class, RexSimplify.class)) {
            asserting.getClassLoader().setClassAssertionStatus(asserting.getName(), false);
        }
    }

    private static final SqlValidator.Config CHECKS = SqlValidator.Config.DEFAULT
            .withConformance(SqlConformanceEnum.LENIENT)
            .withDefaultNullCollation(NullCollation.LAST)
            .withTypeCoercionFactory(TypeCoercion::new)
            .withTypeCoercionRules(SqlCasts.RULES);
    private static final SqlToRelConverter.Config CONVERSION =
            SqlToRelConverter.config().withExpand(false).withInSubQueryThreshold(Integer.MAX_VALUE);

    private final QueryText text;
    private final Map<String, SqlTable> tables;
    private final SqlTypeFactory types = new SqlTypeFactory();
    private final CalciteCatalogReader catalog;
    private final SqlValidator validator;
    private final SqlNode query;

    /// @param words names of tables and columns
    /// @param written as parsed, and not changed: validation modifies a parse tree
    CheckedQuery(String sql, Set<String> words, SqlNode written, Map<String, SqlTable> tables) {
        QueryParser.Parsed parsed = QueryParser.parse(sql, words);
        this.text = parsed.text();
        this.tables = tables;
        this.catalog = QueryCatalog.of(tables, types);
        SqlValidator first = validator();
        SqlNode checked = told(() -> first.validate(SqlOperators.replaced(parsed.query())));
        if (GroupingCasts.areMissing(written, checked)) {
            SqlNode again = QueryParser.parse(sql, words).query();
            GroupingCasts.write(again, checked);
            this.validator = validator();
            this.query = told(() -> validator.validate(SqlOperators.replaced(again)));
        } else {
            this.validator = first;
            this.query = checked;
        }
    }

    private SqlValidator validator() {
        return SqlValidatorUtil.newValidator(SqlOperators.INSTANCE, catalog, types, CHECKS);
    }

    /// @param simplifies whether Calcite simplifies the conditions that it creates
    RelRoot plan(boolean simplifies) {
        // Projections are not merged on creation: those with correlated subqueries would mix up columns.
        SqlToRelConverter.Config conversion = CONVERSION.addRelBuilderConfigTransform(
                config -> config.withBloat(-1).withSimplify(simplifies));
        RelBuilder.Config relations = RelBuilder.Config.DEFAULT.withSimplify(simplifies);
        return told(() -> {
            RelRoot root = new SqlToRelConverter(
                            null, validator, catalog, QueryPlanner.cluster(types), SqlCasts.CONVERSIONS, conversion)
                    .convertQuery(query, false, true);
            return root.withRel(QueryPlanner.plan(root.rel, relations));
        });
    }

    /// What Calcite throws becomes a sentence.
    private <T> T told(Supplier<T> work) {
        try {
            return work.get();
        } catch (CalciteContextException e) {
            throw SqlErrors.checking(e, text, tables);
        } catch (MillraceException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            throw SqlErrors.planning(e);
        }
    }
}
