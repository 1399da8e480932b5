package dev.millrace.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.stats.PolicyWords;
import dev.millrace.stats.Distribution;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import dev.millrace.stats.SpillStats;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The reference of statistics names all that there are.
class StatisticsPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("millrace.root", "..")).resolve("docs/statistics.md");

    @Test
    void everyStatisticIsExplained() throws Exception {
        String page = Files.readString(PAGE);
        List<Class<? extends Record>> records = List.of(
                RunStats.class,
                OperatorStats.class,
                Distribution.class,
                FileStats.class,
                SpillStats.class,
                GpuStats.class);
        assertThat(records)
                .allSatisfy(record -> assertThat(
                                Stream.of(record.getRecordComponents()).map(RecordComponent::getName))
                        .as("statistics of %s", record.getSimpleName())
                        .allSatisfy(name -> assertThat(page).contains("`" + name + "`")));
    }

    @Test
    void everyPolicyAndEveryHintIsExplained() throws Exception {
        String page = Files.readString(PAGE);
        assertThat(PolicyWords.all().keySet())
                .hasSizeGreaterThan(4)
                .allSatisfy(policy -> assertThat(page).contains("| `" + policy + "` |"));
        assertThat(Hint.Pattern.values()).allSatisfy(hint -> assertThat(page).contains("`" + hint.name() + "`"));
    }
}
