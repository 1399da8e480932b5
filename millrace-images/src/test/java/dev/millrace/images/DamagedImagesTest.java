package dev.millrace.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.images.options.ReadImages;
import dev.millrace.internal.images.ImagesFormat;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.testing.Reads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damaged images of every format: pixels or a data error that names the file, never a crash, more memory than the
/// image claims to need, or a byte that stays.
class DamagedImagesTest {
    private static final long MAX_PIXELS = 4_000_000;

    @TempDir
    static Path folder;

    @BeforeAll
    static void write() throws Exception {
        Python.environment("images").run(DamagedImagesTest.class, "make_images.py", folder.toString());
        // Not in the time of the first damaged image: on a busy machine the library alone takes as long.
        try (Allocator allocator = Allocator.root("whole", 64 << 20)) {
            String whole = Reads.smallFiles(folder, ".jpg").getFirst().toString();
            Reads.drain(new ImagesFormat().open(List.of(whole), ReadImages.rgb()), allocator);
        }
    }

    @Test
    void damagedImagesAreDataErrorsOrImages() throws IOException {
        List<Path> originals =
                Reads.smallFiles(folder, ".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff");
        assertThat(originals).hasSizeGreaterThan(60);
        Path place = Files.createDirectory(folder.resolve("damaged"));
        int[] turn = {0};
        List<ReadImages> ways = List.of(
                ReadImages.rgb(),
                ReadImages.rgba(),
                ReadImages.grey(),
                ReadImages.rgb().size(16, 16));
        int runs = Fuzz.runs(500);
        int read = new Fuzz(originals, place, ".jpg").run(runs, (damaged, allocator) -> {
            ReadImages way = ways.get(turn[0]++ % ways.size()).maxPixels(MAX_PIXELS);
            Reads.drain(new ImagesFormat().open(List.of(damaged.toString()), way), allocator);
        });
        assertThat(read).isBetween(runs / 10, runs * 9 / 10);
    }
}
