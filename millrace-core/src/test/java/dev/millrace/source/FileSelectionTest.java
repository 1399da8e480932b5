package dev.millrace.source;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which of the files that paths, folders and globs name are read.
class FileSelectionTest {
    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() throws IOException {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        for (String name : List.of(
                "year=2023/a.arrow",
                "year=2023/b.arrow",
                "year=2024/a.arrow",
                "year=2024/b.feather",
                "year=2024/old/c.arrow",
                "year=2025/a.data")) {
            write(name);
        }
    }

    @AfterEach
    void close() {
        session.close();
    }

    private void write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Path made = folder.resolve("made");
        session.range(1, 1).writeArrow(made.toString());
        try (var files = Files.list(made)) {
            Files.move(
                    files.filter(path -> path.toString().endsWith(".arrow"))
                            .findFirst()
                            .orElseThrow(),
                    file);
        }
        try (var rest = Files.walk(made)) {
            rest.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    private List<String> read(ReadArrow options, String... paths) {
        List<String> all = paths.length == 0 ? List.of(folder.toString()) : List.of(paths);
        return session.readArrow(all, options.includePaths()).takeAll().stream()
                .map(row -> folder.relativize(Path.of(row.getString("path"))).toString())
                .toList();
    }

    private static final ReadArrow ALL = ReadArrow.defaults();

    @Test
    void extensionsDecideInFoldersGlobsAndAmongPaths() {
        assertThat(read(ALL.fileExtensions("feather"))).containsExactly("year=2024/b.feather");
        assertThat(read(ALL.fileExtensions(".DATA", "feather")))
                .containsExactly("year=2024/b.feather", "year=2025/a.data");
        assertThat(read(ALL.fileExtensions("data"), folder + "/*/a.*")).containsExactly("year=2025/a.data");
        assertThat(read(ALL.fileExtensions("arrow"), folder + "/year=2025/a.data", folder + "/year=2023/a.arrow"))
                .containsExactly("year=2023/a.arrow");
    }

    @Test
    void pathsNamesAndGlobsAreLeftOut() {
        assertThat(read(ALL.exclude("b.*", "old"))).containsExactly("year=2023/a.arrow", "year=2024/a.arrow");
        assertThat(read(ALL.exclude(folder + "/year=2024"))).containsExactly("year=2023/a.arrow", "year=2023/b.arrow");
        assertThat(read(ALL.exclude(folder + "/year=2023/").exclude("**/c.arrow")))
                .containsExactly("year=2024/a.arrow", "year=2024/b.feather");
        assertThat(read(ALL.exclude(folder + "/year=2023/b.arrow"), folder + "/year=2023"))
                .containsExactly("year=2023/a.arrow");
    }

    @Test
    void aConditionOverFoldersOpensNoOtherFiles() throws IOException {
        Files.writeString(folder.resolve("year=2023/broken.arrow"), "no Arrow file");
        assertThat(read(ALL.partitionFilter(col("year").ge(2024)).exclude("*.feather")))
                .containsExactly("year=2024/a.arrow", "year=2024/old/c.arrow");
        assertThat(read(ALL.partition("year", DataType.UTF8)
                        .partitionFilter(col("year").eq("2024"))
                        .partitionFilter(col("year").ne("2023"))
                        .exclude("old")))
                .containsExactly("year=2024/a.arrow", "year=2024/b.feather");
    }

    @Test
    void whatIsNotThereIsASentence() {
        assertThatThrownBy(() -> read(ALL.exclude("*")))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("readArrow: no file is left by exclude(*). There are ")
                .hasMessageContaining("year=2023/a.arrow, ");
        assertThatThrownBy(() -> read(ALL.partitionFilter(col("year").gt(2030)).fileExtensions("arrow")))
                .hasMessageContaining("no file is left by fileExtensions(.arrow) and partitionFilter(year > 2030)");
        assertThatThrownBy(() -> read(ALL.partitionFilter(col("month").eq(1))))
                .hasMessage("readArrow: partitionFilter(month = 1) has the column 'month', which the folders of the"
                        + " files do not make. They make [year].");
        assertThatThrownBy(() ->
                        read(ALL.withoutPartitions().partitionFilter(col("year").eq(1))))
                .hasMessageContaining("None of them is named key=value, as withoutPartitions() says.");
        assertThatThrownBy(() -> read(ALL.partitionFilter(col("year").plus(1))))
                .hasMessageContaining("partitionFilter");
        assertThatThrownBy(() -> ALL.fileExtensions("*.csv"))
                .hasMessage("fileExtensions: '*.csv' is no extension. Give the end of names, as \"csv\".");
        assertThatThrownBy(() -> ALL.exclude(" "))
                .hasMessage("exclude: an empty path names no file. Give a path, a name or a glob.");
        assertThatThrownBy(() -> read(ALL.exclude("[a"))).hasMessageContaining("exclude: '[a' is no glob: ");
        assertThatThrownBy(() -> read(ALL.fileExtensions("csv"))).hasMessageContaining("has no files that end in .csv");
    }
}
