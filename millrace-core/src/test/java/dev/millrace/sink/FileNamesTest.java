package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FileNamesTest {
    @Test
    void thousandsOfFilesOfATaskAreReadBackInTheirOrder() {
        List<String> names = IntStream.of(0, 9, 10, 101, 999, 1_000, 1_010, 99_999)
                .mapToObj(file -> FileNames.PARTS.name(new FileNames.Part("job", 3, file, "arrow")))
                .toList();
        assertThat(names).isSorted();
    }
}
