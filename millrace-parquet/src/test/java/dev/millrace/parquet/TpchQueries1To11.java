package dev.millrace.parquet;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.relation.SortKey.ascending;
import static dev.millrace.relation.SortKey.descending;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.relation.Join;
import dev.millrace.testing.Tpch;
import dev.millrace.type.DataType;
import java.math.BigDecimal;

/// The first half of TPC-H's queries.
final class TpchQueries1To11 extends TpchTables {
    TpchQueries1To11(Session session, Tpch tpch) {
        super(session, tpch);
    }

    @Override
    Dataset query(int number) {
        return switch (number) {
            case 1 -> pricingSummary();
            case 2 -> minimumCostSupplier();
            case 3 -> shippingPriority();
            case 4 -> orderPriority();
            case 5 -> localSupplierVolume();
            case 6 -> revenueChange();
            case 7 -> volumeShipping();
            case 8 -> marketShare();
            case 9 -> productTypeProfit();
            case 10 -> returnedItems();
            case 11 -> importantStock();
            default -> throw new IllegalArgumentException("query " + number);
        };
    }

    private Dataset pricingSummary() {
        return lineitem()
                .filter(col("l_shipdate").le(date("1998-09-02")))
                .withColumn("disc_price", revenue())
                .withColumn("charge", col("disc_price").times(lit(1).plus(col("l_tax"))))
                .groupBy("l_returnflag", "l_linestatus")
                .aggregate(
                        sum("l_quantity").as("sum_qty"),
                        sum("l_extendedprice").as("sum_base_price"),
                        sum("disc_price").as("sum_disc_price"),
                        sum("charge").as("sum_charge"),
                        mean("l_quantity").as("avg_qty"),
                        mean("l_extendedprice").as("avg_price"),
                        mean("l_discount").as("avg_disc"),
                        count().as("count_order"))
                .sort("l_returnflag", "l_linestatus");
    }

    private Dataset minimumCostSupplier() {
        Dataset european = partsupp()
                .join(supplier(), on("ps_suppkey", "s_suppkey"))
                .join(nation(), on("s_nationkey", "n_nationkey"))
                .join(region().filter(col("r_name").eq("EUROPE")), on("n_regionkey", "r_regionkey"));
        Dataset cheapest = european.groupBy("ps_partkey")
                .aggregate(min("ps_supplycost").as("least"))
                .rename("ps_partkey", "least_partkey");
        return part().filter(col("p_size").eq(15).and(col("p_type").like("%BRASS")))
                .join(european, on("p_partkey", "ps_partkey"))
                .join(cheapest, on("p_partkey", "least_partkey").on("ps_supplycost", "least"))
                .select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment")
                .sort(descending("s_acctbal"), ascending("n_name"), ascending("s_name"), ascending("p_partkey"))
                .limit(100);
    }

    private Dataset shippingPriority() {
        return customer()
                .filter(col("c_mktsegment").eq("BUILDING"))
                .join(orders().filter(col("o_orderdate").lt(date("1995-03-15"))), on("c_custkey", "o_custkey"))
                .join(lineitem().filter(col("l_shipdate").gt(date("1995-03-15"))), on("o_orderkey", "l_orderkey"))
                .withColumn("price", revenue())
                .groupBy("l_orderkey", "o_orderdate", "o_shippriority")
                .aggregate(sum("price").as("revenue"))
                .sort(descending("revenue"), ascending("o_orderdate"))
                .select("l_orderkey", "revenue", "o_orderdate", "o_shippriority")
                .limit(10);
    }

    private Dataset orderPriority() {
        Dataset late = lineitem().filter(col("l_commitdate").lt(col("l_receiptdate")));
        return orders().filter(within("o_orderdate", "1993-07-01", "1993-10-01"))
                .join(late, Join.leftSemi().on("o_orderkey", "l_orderkey"))
                .groupBy("o_orderpriority")
                .aggregate(count().as("order_count"))
                .sort("o_orderpriority");
    }

    private Dataset localSupplierVolume() {
        Dataset asian = nation().join(region().filter(col("r_name").eq("ASIA")), on("n_regionkey", "r_regionkey"))
                .join(supplier(), on("n_nationkey", "s_nationkey"));
        return customer()
                .join(orders().filter(within("o_orderdate", "1994-01-01", "1995-01-01")), on("c_custkey", "o_custkey"))
                .join(lineitem(), on("o_orderkey", "l_orderkey"))
                .join(asian, on("l_suppkey", "s_suppkey").on("c_nationkey", "n_nationkey"))
                .withColumn("price", revenue())
                .groupBy("n_name")
                .aggregate(sum("price").as("revenue"))
                .sort(descending("revenue"));
    }

    private Dataset revenueChange() {
        return lineitem()
                .filter(within("l_shipdate", "1994-01-01", "1995-01-01")
                        .and(col("l_discount").between(new BigDecimal("0.05"), new BigDecimal("0.07")))
                        .and(col("l_quantity").lt(24)))
                .withColumn("saved", col("l_extendedprice").times(col("l_discount")))
                .aggregate(sum("saved").as("revenue"));
    }

    private Dataset volumeShipping() {
        Dataset two = nation().filter(col("n_name").isIn("FRANCE", "GERMANY"));
        return supplier()
                .join(
                        two.select(
                                col("n_nationkey").as("supp_key"), col("n_name").as("supp_nation")),
                        on("s_nationkey", "supp_key"))
                .join(
                        lineitem().filter(col("l_shipdate").between(date("1995-01-01"), date("1996-12-31"))),
                        on("s_suppkey", "l_suppkey"))
                .join(orders(), on("l_orderkey", "o_orderkey"))
                .join(customer(), on("o_custkey", "c_custkey"))
                .join(
                        two.select(
                                col("n_nationkey").as("cust_key"), col("n_name").as("cust_nation")),
                        on("c_nationkey", "cust_key"))
                .filter(col("supp_nation").ne(col("cust_nation")))
                .withColumn("volume", revenue())
                .groupBy(
                        col("supp_nation"),
                        col("cust_nation"),
                        col("l_shipdate").year().as("l_year"))
                .aggregate(sum("volume").as("revenue"))
                .sort("supp_nation", "cust_nation", "l_year");
    }

    private Dataset marketShare() {
        Dataset american = customer()
                .join(nation(), on("c_nationkey", "n_nationkey"))
                .join(region().filter(col("r_name").eq("AMERICA")), on("n_regionkey", "r_regionkey"))
                .select("c_custkey");
        return part().filter(col("p_type").eq("ECONOMY ANODIZED STEEL"))
                .join(lineitem(), on("p_partkey", "l_partkey"))
                .join(
                        orders().filter(col("o_orderdate").between(date("1995-01-01"), date("1996-12-31"))),
                        on("l_orderkey", "o_orderkey"))
                .join(american, on("o_custkey", "c_custkey"))
                .join(supplier(), on("l_suppkey", "s_suppkey"))
                .join(nation(), on("s_nationkey", "n_nationkey"))
                .withColumn("volume", revenue().cast(DataType.FLOAT64))
                .withColumn(
                        "brazil",
                        when(col("n_name").eq("BRAZIL")).then(col("volume")).otherwise(0.0))
                .groupBy(col("o_orderdate").year().as("o_year"))
                .aggregate(sum("brazil"), sum("volume"))
                .select(
                        col("o_year"),
                        col("sum(brazil)").dividedBy(col("sum(volume)")).as("mkt_share"))
                .sort("o_year");
    }

    private Dataset productTypeProfit() {
        return part().filter(col("p_name").like("%green%"))
                .join(lineitem(), on("p_partkey", "l_partkey"))
                .join(supplier(), on("l_suppkey", "s_suppkey"))
                .join(partsupp(), on("p_partkey", "ps_partkey").on("l_suppkey", "ps_suppkey"))
                .join(orders(), on("l_orderkey", "o_orderkey"))
                .join(nation(), on("s_nationkey", "n_nationkey"))
                .withColumn("amount", revenue().minus(col("ps_supplycost").times(col("l_quantity"))))
                .groupBy(col("n_name").as("nation"), col("o_orderdate").year().as("o_year"))
                .aggregate(sum("amount").as("sum_profit"))
                .sort(ascending("nation"), descending("o_year"));
    }

    private Dataset returnedItems() {
        return customer()
                .join(orders().filter(within("o_orderdate", "1993-10-01", "1994-01-01")), on("c_custkey", "o_custkey"))
                .join(lineitem().filter(col("l_returnflag").eq("R")), on("o_orderkey", "l_orderkey"))
                .join(nation(), on("c_nationkey", "n_nationkey"))
                .withColumn("price", revenue())
                .groupBy("c_custkey", "c_name", "c_acctbal", "c_phone", "n_name", "c_address", "c_comment")
                .aggregate(sum("price").as("revenue"))
                .select("c_custkey", "c_name", "revenue", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment")
                .sort(descending("revenue"))
                .limit(20);
    }

    private Dataset importantStock() {
        Dataset german = partsupp()
                .join(supplier(), on("ps_suppkey", "s_suppkey"))
                .join(nation().filter(col("n_name").eq("GERMANY")), on("s_nationkey", "n_nationkey"))
                .withColumn("worth", col("ps_supplycost").times(col("ps_availqty")));
        Dataset least = german.aggregate(sum("worth").as("all"))
                .select(col("all").times(new BigDecimal("0.0001")).as("least"));
        return german.groupBy("ps_partkey")
                .aggregate(sum("worth").as("value"))
                .join(least, Join.cross())
                .filter(col("value").gt(col("least")))
                .select("ps_partkey", "value")
                .sort(descending("value"), ascending("ps_partkey"));
    }
}
