package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.expression.Expression;
import dev.millrace.relation.Join;
import dev.millrace.testing.Tpch;
import java.time.LocalDate;

/// The tables of TPC-H as datasets, and words that its queries share.
abstract class TpchTables {
    private final Session session;
    private final Tpch tpch;

    TpchTables(Session session, Tpch tpch) {
        this.session = session;
        this.tpch = tpch;
    }

    /// @throws IllegalArgumentException for a query that is not here
    abstract Dataset query(int number);

    Dataset customer() {
        return table("customer");
    }

    Dataset lineitem() {
        return table("lineitem");
    }

    Dataset nation() {
        return table("nation");
    }

    Dataset orders() {
        return table("orders");
    }

    Dataset part() {
        return table("part");
    }

    Dataset partsupp() {
        return table("partsupp");
    }

    Dataset region() {
        return table("region");
    }

    Dataset supplier() {
        return table("supplier");
    }

    private Dataset table(String name) {
        return session.readParquet(tpch.file(name));
    }

    /// What a line costs without tax.
    static Expression revenue() {
        return col("l_extendedprice").times(lit(1).minus(col("l_discount")));
    }

    static LocalDate date(String text) {
        return LocalDate.parse(text);
    }

    /// From one day to before another.
    static Expression within(String column, String from, String to) {
        return col(column).ge(date(from)).and(col(column).lt(date(to)));
    }

    static Join on(String left, String right) {
        return Join.inner().on(left, right);
    }
}
