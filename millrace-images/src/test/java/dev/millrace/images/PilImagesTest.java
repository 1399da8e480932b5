package dev.millrace.images;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.images.options.ReadImages;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Images of every format that PIL wrote, compared pixel by pixel with what PIL reads. They are equal, except that CMYK
/// is rounded by another rule, and that pixels which are (partly) transparent have other colours in GIF and TIFF:
/// OpenCV has no colours for those of GIF, and libtiff multiplies by alpha.
class PilImagesTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void write() {
        Python.environment("images").run(PilImagesTest.class, "make_images.py", folder.toString());
    }

    static List<Path> images() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> !file.toString().endsWith(".pixels"))
                    .sorted()
                    .toList();
        }
    }

    private static Map<String, Tensor> read(ReadImages options) {
        Map<String, Tensor> images = new HashMap<>();
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            for (Row row : session.readImages(folder.toString(), options.includePaths())
                    .takeAll()) {
                images.put(row.getString("path"), (Tensor) row.get("image"));
            }
        }
        return images;
    }

    private static Stream<DynamicTest> compare(String mode, ReadImages options) throws IOException {
        Map<String, Tensor> read = read(options);
        assertThat(read).hasSize(images().size()).hasSizeGreaterThan(60);
        return images().stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName() + " as " + mode, () -> {
                    String name = file.getFileName().toString();
                    if (mode.equals("32x48") && (name.equals("transparent.gif") || name.equals("alpha.tiff"))) {
                        return;
                    }
                    if (mode.equals("stored") && name.equals("xmp.tif")) {
                        // PIL turns TIFF images always; here the orientation in XMP data can be ignored.
                        return;
                    }
                    PilPixels pil = PilPixels.of(file, mode);
                    PilPixels.Difference difference = switch (name) {
                        case "transparent.gif", "alpha.tiff" ->
                            pil.fromVisible(requireNonNull(read.get(file.toString())), PilPixels.of(file, "RGBA"));
                        default -> pil.from(requireNonNull(read.get(file.toString())));
                    };
                    assertThat(difference.most())
                            .as("%s", difference)
                            .isLessThanOrEqualTo(name.equals("cmyk.jpg") ? 1 : 0);
                }));
    }

    @TestFactory
    Stream<DynamicTest> coloursAreThoseOfPil() throws IOException {
        return compare("RGB", ReadImages.rgb());
    }

    @TestFactory
    Stream<DynamicTest> coloursWithAlphaAreThoseOfPil() throws IOException {
        return compare("RGBA", ReadImages.rgba());
    }

    @TestFactory
    Stream<DynamicTest> greysAreThoseOfPil() throws IOException {
        return compare("L", ReadImages.grey());
    }

    @TestFactory
    Stream<DynamicTest> storedPixelsAreThoseOfPil() throws IOException {
        return compare("stored", ReadImages.rgb().ignoreOrientation());
    }

    @TestFactory
    Stream<DynamicTest> resizedImagesAreThoseOfPil() throws IOException {
        return compare("32x48", ReadImages.rgb().size(32, 48));
    }
}
