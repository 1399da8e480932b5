package dev.millrace.internal.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.testing.Fuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the bytes of a file are, reading it ends in values or in a sentence that names the file.
class DamagedCsvTest {
    private static List<Path> originals(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String end : List.of("\n", "\r\n")) {
            for (boolean quoted : List.of(true, false)) {
                StringBuilder text = new StringBuilder("id,price,when,day,flag,text").append(end);
                for (int i = 0; i < 300; i++) {
                    String value = quoted && i % 3 == 0 ? "\"a, \"\"b\"\"" + end + "c é\"" : "text " + i;
                    text.append(String.join(
                                    ",",
                                    "" + i,
                                    i / 8.0 + "",
                                    "2024-01-01 10:00:" + (10 + i % 50),
                                    "2024-02-" + (10 + i % 19),
                                    i % 2 == 0 ? "true" : "false",
                                    value))
                            .append(end);
                }
                files.add(Files.writeString(folder.resolve(files.size() + ".csv"), text));
            }
        }
        return files;
    }

    @Test
    void damagedFilesEndInValuesOrInADataError(@TempDir Path folder) throws IOException {
        Path damaged = Files.createDirectory(folder.resolve("damaged"));
        int[] number = {0};
        int read = new Fuzz(originals(folder), damaged, ".csv").run(Fuzz.runs(1500), (file, allocator) -> {
            ReadCsv options = number[0]++ % 3 == 0
                    ? ReadCsv.defaults().misfitsAsNull().skipRaggedRows()
                    : ReadCsv.defaults().maxRecordBytes(number[0] % 3 == 1 ? 2 << 20 : 3000);
            FileSource source = FileSource.of(List.of(file.toString()), new CsvFormat(options), FileReads.defaults());
            ReadContext context = new ReadContext(allocator, 1 << 14);
            Iterator<Split> splits = source.splits(new SplitRequest(1 + number[0] % 4, true, 1, 1 << 20));
            MillraceException first = null;
            while (splits.hasNext()) {
                try (SplitReader reader = splits.next().open(context)) {
                    MillraceException error = readOn(reader);
                    first = first == null ? error : first;
                }
            }
            if (first != null) {
                throw first;
            }
        });
        assertThat(read).isPositive();
    }

    /// Reads to the end, over whatever is broken.
    ///
    /// @return the first error, or null
    private static MillraceException readOn(SplitReader reader) throws Exception {
        MillraceException first = null;
        while (true) {
            try {
                Block block = reader.next();
                if (block == null) {
                    return first;
                }
                block.close();
            } catch (MillraceException e) {
                assertThat(e.culprit()).isEqualTo(Culprit.DATA);
                first = first == null ? e : first;
                if (!reader.skipBroken()) {
                    return first;
                }
            }
        }
    }
}
