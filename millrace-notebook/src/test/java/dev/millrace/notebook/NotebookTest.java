package dev.millrace.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotebookTest {
    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        Notebook.rows(10);
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    @Test
    void aDatasetShowsItsTypesAndFirstRowsAndTextsAreNeverMarkup() {
        Dataset rows = session.range(3)
                .map(row -> Row.of("id", row.getLong("id"), "text", "<script>alert('" + row.getLong("id") + "')"));
        assertThat(Notebook.html(rows))
                .startsWith("<table><thead><tr><th>id<br><small>int64</small></th><th>text<br><small>utf8</small></th>")
                .contains("<td>2</td><td>&lt;script&gt;alert(&#39;2&#39;)</td>")
                .doesNotContain("<script", "the first");
        Notebook.rows(2);
        assertThat(Notebook.html(rows))
                .contains("<td>1</td>")
                .doesNotContain("<td>2</td>")
                .endsWith("<p><small>the first 2 rows</small></p>");
    }

    @Test
    void withoutRowsNothingRuns() {
        Dataset rows = session.range(3);
        Notebook.rows(0);
        assertThat(Notebook.html(rows)).contains("<td>int64</td>").isEqualTo(Notebook.html(rows.schema()));
        assertThat(Notebook.text(rows)).isEqualTo("column  type\n------  ----\nid      int64");
        assertThat(rows.lastRun()).isEmpty();
    }

    @Test
    void tensorsThatArePicturesShowAsSmallOnes() throws Exception {
        byte[] red = new byte[200 * 100 * 3];
        for (int i = 0; i < red.length; i += 3) {
            red[i] = (byte) 255;
        }
        Dataset rows = session.range(1).map(row -> Row.of("x", Tensor.ofUnsigned(red, 100, 200, 3)));
        Matcher picture = Pattern.compile("data:image/png;base64,([^\"]+)").matcher(Notebook.html(rows));
        assertThat(picture.find()).isTrue();
        BufferedImage shown =
                ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(picture.group(1))));
        assertThat(shown.getWidth()).isEqualTo(96);
        assertThat(shown.getHeight()).isEqualTo(48);
        assertThat(shown.getRGB(95, 47) & 0xFFFFFF).isEqualTo(0xFF0000);
        Dataset vectors = session.range(1).map(row -> Row.of("x", Tensor.of(new float[] {1, 2}, 2)));
        assertThat(Notebook.html(vectors)).doesNotContain("<img");
    }

    @Test
    void aRunShowsALineForEachOperator() {
        Dataset rows = session.range(100).filter(row -> row.getLong("id") > 50);
        rows.takeAll();
        String html = Notebook.html(rows.lastRun().orElseThrow());
        assertThat(html)
                .contains("FINISHED in ", "49 rows", "<th>held back</th>", "Range -&gt; filter")
                .doesNotContain("Range -> filter");
        assertThat(Notebook.text(rows.lastRun().orElseThrow())).contains("wall time");
        assertThat(Notebook.plan(rows)).startsWith("<pre>").contains("Physical plan");
    }

    @Test
    void queriesSeeTheTablesThatWereNamed() {
        Notebook.use(session);
        Notebook.table("numbers", session.range(10));
        assertThat(Notebook.text(Notebook.sql("SELECT count(*) AS n FROM numbers WHERE id > 6;")))
                .isEqualTo("n\n-\n3");
        assertThatThrownBy(() -> Notebook.rows(-1))
                .isInstanceOf(MillraceException.class)
                .hasMessage("A notebook shows 0 or more rows, not -1.");
    }
}
