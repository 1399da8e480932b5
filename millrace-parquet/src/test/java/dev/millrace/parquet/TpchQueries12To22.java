package dev.millrace.parquet;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.countDistinct;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.relation.SortKey.ascending;
import static dev.millrace.relation.SortKey.descending;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.expression.Expression;
import dev.millrace.relation.Join;
import dev.millrace.testing.Tpch;
import dev.millrace.type.DataType;
import java.math.BigDecimal;

/// The second half of TPC-H's queries.
final class TpchQueries12To22 extends TpchTables {
    TpchQueries12To22(Session session, Tpch tpch) {
        super(session, tpch);
    }

    @Override
    Dataset query(int number) {
        return switch (number) {
            case 12 -> shippingModes();
            case 13 -> customerDistribution();
            case 14 -> promotionEffect();
            case 15 -> topSupplier();
            case 16 -> partsBySuppliers();
            case 17 -> smallQuantities();
            case 18 -> largeCustomers();
            case 19 -> discountedRevenue();
            case 20 -> partPromotion();
            case 21 -> waitingSuppliers();
            case 22 -> salesOpportunity();
            default -> throw new IllegalArgumentException("query " + number);
        };
    }

    private Dataset shippingModes() {
        Expression high = col("o_orderpriority").isIn("1-URGENT", "2-HIGH");
        return lineitem()
                .filter(col("l_shipmode")
                        .isIn("MAIL", "SHIP")
                        .and(col("l_commitdate").lt(col("l_receiptdate")))
                        .and(col("l_shipdate").lt(col("l_commitdate")))
                        .and(within("l_receiptdate", "1994-01-01", "1995-01-01")))
                .join(orders(), on("l_orderkey", "o_orderkey"))
                .withColumns(
                        when(high).then(1).otherwise(0).as("high"),
                        when(high).then(0).otherwise(1).as("low"))
                .groupBy("l_shipmode")
                .aggregate(sum("high").as("high_line_count"), sum("low").as("low_line_count"))
                .sort("l_shipmode");
    }

    private Dataset customerDistribution() {
        Dataset plain =
                orders().filter(col("o_comment").like("%special%requests%").not());
        return customer()
                .join(plain, Join.left().on("c_custkey", "o_custkey"))
                .withColumn("one", when(col("o_orderkey").isNotNull()).then(1).otherwise(0))
                .groupBy("c_custkey")
                .aggregate(sum("one").as("c_count"))
                .groupBy("c_count")
                .aggregate(count().as("custdist"))
                .sort(descending("custdist"), descending("c_count"));
    }

    private Dataset promotionEffect() {
        return lineitem()
                .filter(within("l_shipdate", "1995-09-01", "1995-10-01"))
                .join(part(), on("l_partkey", "p_partkey"))
                .withColumn("price", revenue().cast(DataType.FLOAT64))
                .withColumn(
                        "promo",
                        when(col("p_type").like("PROMO%")).then(col("price")).otherwise(0.0))
                .aggregate(sum("promo"), sum("price"))
                .select(col("sum(promo)")
                        .times(100.0)
                        .dividedBy(col("sum(price)"))
                        .as("promo_revenue"));
    }

    private Dataset topSupplier() {
        Dataset revenue = lineitem()
                .filter(within("l_shipdate", "1996-01-01", "1996-04-01"))
                .withColumn("price", revenue())
                .groupBy("l_suppkey")
                .aggregate(sum("price").as("total_revenue"));
        return supplier()
                .join(revenue, on("s_suppkey", "l_suppkey"))
                .join(revenue.aggregate(max("total_revenue").as("most")), on("total_revenue", "most"))
                .select("s_suppkey", "s_name", "s_address", "s_phone", "total_revenue")
                .sort("s_suppkey");
    }

    private Dataset partsBySuppliers() {
        Dataset complaints = supplier().filter(col("s_comment").like("%Customer%Complaints%"));
        Dataset parts = part().filter(col("p_brand")
                .ne("Brand#45")
                .and(col("p_type").like("MEDIUM POLISHED%").not())
                .and(col("p_size").isIn(49, 14, 23, 45, 19, 3, 36, 9)));
        return partsupp()
                .join(parts, on("ps_partkey", "p_partkey"))
                .join(complaints, Join.leftAnti().on("ps_suppkey", "s_suppkey"))
                .groupBy("p_brand", "p_type", "p_size")
                .aggregate(countDistinct("ps_suppkey").as("supplier_cnt"))
                .sort(descending("supplier_cnt"), ascending("p_brand"), ascending("p_type"), ascending("p_size"));
    }

    private Dataset smallQuantities() {
        Dataset usual = lineitem()
                .groupBy("l_partkey")
                .aggregate(mean("l_quantity").as("usual"))
                .rename("l_partkey", "usual_partkey");
        return part().filter(
                        col("p_brand").eq("Brand#23").and(col("p_container").eq("MED BOX")))
                .join(lineitem(), on("p_partkey", "l_partkey"))
                .join(usual, on("p_partkey", "usual_partkey"))
                .filter(col("l_quantity").cast(DataType.FLOAT64).lt(col("usual").times(0.2)))
                .aggregate(sum("l_extendedprice").as("price"))
                .select(col("price").cast(DataType.FLOAT64).dividedBy(7.0).as("avg_yearly"));
    }

    private Dataset largeCustomers() {
        Dataset large = lineitem()
                .groupBy("l_orderkey")
                .aggregate(sum("l_quantity").as("quantity"))
                .filter(col("quantity").gt(300));
        return orders().join(large, on("o_orderkey", "l_orderkey"))
                .join(customer(), on("o_custkey", "c_custkey"))
                .select(
                        col("c_name"),
                        col("o_custkey").as("c_custkey"),
                        col("o_orderkey"),
                        col("o_orderdate"),
                        col("o_totalprice"),
                        col("quantity"))
                .sort(descending("o_totalprice"), ascending("o_orderdate"))
                .limit(100);
    }

    private Dataset discountedRevenue() {
        return lineitem()
                .filter(col("l_shipmode")
                        .isIn("AIR", "AIR REG")
                        .and(col("l_shipinstruct").eq("DELIVER IN PERSON")))
                .join(part(), on("l_partkey", "p_partkey"))
                .filter(offer("Brand#12", "SM CASE,SM BOX,SM PACK,SM PKG", 1, 5)
                        .or(offer("Brand#23", "MED BAG,MED BOX,MED PKG,MED PACK", 10, 10))
                        .or(offer("Brand#34", "LG CASE,LG BOX,LG PACK,LG PKG", 20, 15)))
                .withColumn("price", revenue())
                .aggregate(sum("price").as("revenue"));
    }

    private static Expression offer(String brand, String containers, int quantity, int size) {
        return col("p_brand")
                .eq(brand)
                .and(col("p_container").isIn((Object[]) containers.split(",", -1)))
                .and(col("l_quantity").between(quantity, quantity + 10))
                .and(col("p_size").between(1, size));
    }

    private Dataset partPromotion() {
        Dataset shipped = lineitem()
                .filter(within("l_shipdate", "1994-01-01", "1995-01-01"))
                .groupBy("l_partkey", "l_suppkey")
                .aggregate(sum("l_quantity").as("shipped"));
        Dataset plenty = partsupp()
                .join(
                        part().filter(col("p_name").startsWith("forest")),
                        Join.leftSemi().on("ps_partkey", "p_partkey"))
                .join(shipped, on("ps_partkey", "l_partkey").on("ps_suppkey", "l_suppkey"))
                .filter(col("ps_availqty").gt(col("shipped").times(new BigDecimal("0.5"))));
        return supplier()
                .join(plenty, Join.leftSemi().on("s_suppkey", "ps_suppkey"))
                .join(nation().filter(col("n_name").eq("CANADA")), on("s_nationkey", "n_nationkey"))
                .select("s_name", "s_address")
                .sort("s_name");
    }

    /// Others delivered the order too, and nobody else was late: of a supplier that is not the only one there is
    /// another among the least and the greatest.
    private Dataset waitingSuppliers() {
        Dataset late = lineitem().filter(col("l_receiptdate").gt(col("l_commitdate")));
        Dataset all = lineitem()
                .groupBy("l_orderkey")
                .aggregate(min("l_suppkey").as("least"), max("l_suppkey").as("most"))
                .filter(col("least").ne(col("most")))
                .select("l_orderkey");
        Dataset onlyOneLate = late.groupBy("l_orderkey")
                .aggregate(min("l_suppkey").as("least"), max("l_suppkey").as("most"))
                .filter(col("least").eq(col("most")))
                .select("l_orderkey");
        return late.join(orders().filter(col("o_orderstatus").eq("F")), on("l_orderkey", "o_orderkey"))
                .join(all, Join.leftSemi("l_orderkey"))
                .join(onlyOneLate, Join.leftSemi("l_orderkey"))
                .join(supplier(), on("l_suppkey", "s_suppkey"))
                .join(nation().filter(col("n_name").eq("SAUDI ARABIA")), on("s_nationkey", "n_nationkey"))
                .groupBy("s_name")
                .aggregate(count().as("numwait"))
                .sort(descending("numwait"), ascending("s_name"))
                .limit(100);
    }

    private Dataset salesOpportunity() {
        Dataset customers = customer()
                .withColumn("cntrycode", col("c_phone").substring(0, 2))
                .filter(col("cntrycode").isIn("13", "31", "23", "29", "30", "18", "17"));
        Dataset usual = customers
                .filter(col("c_acctbal").gt(0))
                .aggregate(mean("c_acctbal").as("usual"));
        return customers
                .join(usual, Join.cross())
                .filter(col("c_acctbal").cast(DataType.FLOAT64).gt(col("usual")))
                .join(orders(), Join.leftAnti().on("c_custkey", "o_custkey"))
                .groupBy("cntrycode")
                .aggregate(count().as("numcust"), sum("c_acctbal").as("totacctbal"))
                .sort("cntrycode");
    }
}
