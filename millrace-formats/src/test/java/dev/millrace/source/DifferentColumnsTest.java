package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The rule for files of different columns, which is one for all formats.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DifferentColumnsTest {
    /// Of so many files the ninth is not among those looked at for the schema.
    private static final int FILES = 18;
    private static final int NOT_LOOKED_AT = 8;

    @TempDir
    Path folder;

    private Session session;

    @BeforeAll
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterAll
    void close() {
        session.close();
    }

    enum Format {
        ARROW {
            @Override
            Path write(Session session, Dataset rows, Path to) {
                return only(to, () -> rows.writeArrow(to.toString()));
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readArrow(paths, ReadArrow.defaults().files(options));
            }
        },
        AVRO {
            @Override
            Path write(Session session, Dataset rows, Path to) {
                return only(to, () -> rows.writeAvro(to.toString()));
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readAvro(paths, options);
            }
        },
        CSV {
            @Override
            Path write(Session session, Dataset rows, Path to) {
                return only(to, () -> rows.writeCsv(to.toString()));
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readCsv(paths, ReadCsv.defaults().files(options));
            }
        },
        JSON {
            @Override
            Path write(Session session, Dataset rows, Path to) {
                return only(to, () -> rows.writeJson(to.toString()));
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readJson(paths, ReadJson.defaults().files(options));
            }
        },
        NUMPY {
            // Numpy's files with several columns are archives.
            @Override
            Path write(Session session, Dataset rows, Path to) throws IOException {
                Path archive = to.resolveSibling(to.getFileName() + ".npz");
                try (OutputStream out = Files.newOutputStream(archive);
                        ZipOutputStream zip = new ZipOutputStream(out)) {
                    for (String column : rows.schema().names()) {
                        Path array = to.resolveSibling(to.getFileName() + "-" + column);
                        zip.putNextEntry(new ZipEntry(column + ".npy"));
                        zip.write(Files.readAllBytes(only(array, () -> rows.writeNumpy(array.toString(), column))));
                    }
                }
                return archive;
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readNumpy(paths, options);
            }
        },
        TFRECORD {
            @Override
            Path write(Session session, Dataset rows, Path to) {
                return only(to, () -> rows.writeTfRecords(to.toString()));
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readTfRecords(paths, ReadTfRecords.defaults().files(options));
            }
        },
        WEBDATASET {
            @Override
            Path write(Session session, Dataset rows, Path to) {
                List<String> names = rows.schema().names();
                return only(
                        to,
                        () -> rows.map(row -> {
                                    Map<String, Object> texts = new LinkedHashMap<>();
                                    texts.put("__key__", "k" + row.get(names.getFirst()));
                                    names.forEach(name -> texts.put(name + ".cls", row.get(name)));
                                    return Row.of(texts);
                                })
                                .writeWebDataset(to.toString()));
            }

            @Override
            Dataset read(Session session, List<String> paths, FileReads options) {
                return session.readWebDataset(paths, ReadWebDataset.defaults().files(options));
            }

            @Override
            String column(String name) {
                return name + ".cls";
            }
        };

        /// Writes one file.
        abstract Path write(Session session, Dataset rows, Path to) throws IOException;

        abstract Dataset read(Session session, List<String> paths, FileReads options);

        /// What the format calls a column that was written.
        String column(String name) {
            return name;
        }

        static Path only(Path folder, Runnable writing) {
            writing.run();
            try (Stream<Path> files = Files.walk(folder)) {
                return files.filter(file -> Files.isRegularFile(file)
                                && !file.getFileName().toString().startsWith("_"))
                        .findFirst()
                        .orElseThrow();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// One row with the number in each of these columns.
    private Path file(Format format, String name, int value, String... columns) throws IOException {
        Dataset rows = session.range(1, 1).map(_ -> {
            Map<String, Object> values = new LinkedHashMap<>();
            for (String column : columns) {
                values.put(column, (long) value);
            }
            return Row.of(values);
        });
        return format.write(session, rows, folder.resolve(format + "-" + name));
    }

    /// Files that all have the columns a and b, but one that has c also.
    private List<String> filesWithAnOddOne(Format format) throws IOException {
        Path usual = file(format, "usual", 1, "a", "b");
        Path odd = file(format, "odd", 2, "a", "b", "c");
        Path all = Files.createDirectory(folder.resolve(format + "-all"));
        String name = usual.getFileName().toString();
        String ending = name.substring(name.indexOf('.'));
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Path copy = all.resolve(String.format("%02d", i) + ending);
            Files.copy(i == NOT_LOOKED_AT ? odd : usual, copy);
            paths.add(copy.toString());
        }
        return paths;
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void theColumnsAreTheUnionByNameOfTheFilesLookedAt(Format format) throws IOException {
        String one = file(format, "one", 1, "a", "b").toString();
        String other = file(format, "other", 2, "b", "c").toString();
        Dataset both = format.read(session, List.of(one, other), FileReads.defaults());

        String a = format.column("a");
        String b = format.column("b");
        String c = format.column("c");
        assertThat(both.schema().names()).containsSubsequence(a, b, c);
        assertThat(both.takeAll())
                .extracting(row -> Arrays.asList(row.get(a), row.get(b), row.get(c)))
                .containsExactly(Arrays.asList(1L, 1L, null), Arrays.asList(null, 2L, 2L));
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void aFileThatBringsAColumnNobodyKnewIsAnErrorAndNeverALoss(Format format) throws IOException {
        List<String> paths = filesWithAnOddOne(format);
        String c = format.column("c");
        Dataset some = format.read(session, paths, FileReads.defaults());
        assertThat(some.schema().names()).doesNotContain(c);

        assertThatThrownBy(some::takeAll)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessageContaining(paths.get(NOT_LOOKED_AT))
                .hasMessageContaining("'" + c + "'")
                .hasMessageContaining("unionOfAllFiles()");

        Dataset all = format.read(session, paths, FileReads.defaults().unionOfAllFiles());
        assertThat(all.schema().names()).contains(c);
        assertThat(all.takeAll()).extracting(row -> row.get(c)).hasSize(FILES).containsOnly(null, 2L);

        String a = format.column("a");
        String b = format.column("b");
        Dataset named =
                format.read(session, paths, FileReads.defaults().columns(b, a).includePaths());
        assertThat(named.schema().names()).containsExactly(b, a, "path");
        assertThat(named.takeAll()).extracting(row -> row.get(b)).hasSize(FILES).containsOnly(1L, 2L);
    }

    @Test
    void theErrorSaysFileColumnAndRemedy() throws IOException {
        List<String> paths = filesWithAnOddOne(Format.CSV);
        assertThatThrownBy(() -> session.readCsv(paths, ReadCsv.defaults()).takeAll())
                .hasMessageContaining(
                        "readCsv: '" + paths.get(NOT_LOOKED_AT) + "' has the column 'c', which none of the"
                                + " files looked at for the schema has (their columns are [a, b]). Take the union of all files"
                                + " by unionOfAllFiles() in the options of the read, or name the columns to read there by"
                                + " columns(...).");
    }

    @Test
    void typesAreAsWideAsTheFilesLookedAtNeed() throws IOException {
        Path csv = Files.createDirectory(folder.resolve("wide"));
        Files.writeString(csv.resolve("1.csv"), "n,day,none,empty\n1,2024-01-01,,\n");
        Files.writeString(csv.resolve("2.csv"), "n,day,none,empty\n1.5,2024-01-02 03:04:05,7,\n");
        Dataset rows = session.readCsv(csv.toString());
        assertThat(rows.schema().type("n")).isEqualTo(DataType.FLOAT64);
        assertThat(rows.schema().type("day")).isInstanceOf(DataType.Timestamp.class);
        assertThat(rows.schema().type("none")).isEqualTo(DataType.INT64);
        assertThat(rows.schema().type("empty")).isEqualTo(DataType.UTF8);
        assertThat(rows.takeAll()).extracting(row -> row.get("n")).containsExactly(1.0, 1.5);
    }

    @Test
    void aBrokenFileAmongSeveralSaysNothingOfTheColumns() throws IOException {
        Path csv = Files.createDirectory(folder.resolve("broken"));
        Files.writeString(csv.resolve("1.csv"), "");
        Files.writeString(csv.resolve("2.csv"), "a\n1\n");
        Dataset rows = session.readCsv(csv.toString());
        assertThat(rows.schema().names()).containsExactly("a");
        assertThat(rows.takeAll()).extracting(row -> row.get("a")).containsExactly(1L);
    }

    @Test
    void namedColumnsMustBeThereAndAreNamedOnce() throws IOException {
        Path csv = Files.createDirectory(folder.resolve("named"));
        Files.writeString(csv.resolve("1.csv"), "alpha,beta\n1,2\n");
        assertThatThrownBy(
                        () -> session.readCsv(csv.toString(), ReadCsv.defaults().columns("alhpa")))
                .hasMessageContaining("readCsv: there is no column 'alhpa'.")
                .hasMessageContaining("[alpha, beta]");
        assertThatThrownBy(() -> ReadCsv.defaults().columns("beta", "beta"))
                .hasMessage("The columns of a read are named twice in [beta, beta].");
    }
}
