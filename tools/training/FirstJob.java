import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A program of one source file as users write them, with records, lambdas and generics: `millrace run` starts Java with an
/// archive of the classes and profiles of the compiler and of Millrace, and the launcher makes that archive by running this.
public class FirstJob {
    record Number(long id) {}

    record Sale(long id, String shop, double price) {}

    private static Sale sale(Number number) {
        return new Sale(number.id(), "shop " + number.id() % 7, number.id() * 0.25);
    }

    public static void main(String[] arguments) throws Exception {
        try (Session session = Session.open()) {
            Dataset sales = session.range(50_000)
                    .map(Number.class, Sale.class, FirstJob::sale)
                    .filter(col("price").gt(1.0))
                    .filter((Row row) -> row.getLong("id") % 2 == 0)
                    .mapBatches(batch -> batch.mapLongs("id", id -> id + 1));
            List<Row> shops = sales.groupBy("shop").aggregate(sum("price"), count()).sort("shop").takeAll();
            Map<String, Double> sums = shops.stream()
                    .collect(Collectors.toMap(row -> row.getString("shop"), row -> row.getDouble("sum(price)")));
            Function<Batch, Long> rows = Batch::rows;
            List<Long> sizes = new ArrayList<>();
            try (var batches = sales.iterBatches()) {
                while (batches.hasNext()) {
                    sizes.add(rows.apply(batches.next()));
                }
            }
            switch (sizes.size()) {
                case 0 -> System.out.println("nothing");
                default -> System.out.println(sums + " in " + sizes.size() + " batches");
            }
        }
        if (arguments.length > 0) {
            dev.millrace.cli.Main.main(arguments);
        }
    }
}
