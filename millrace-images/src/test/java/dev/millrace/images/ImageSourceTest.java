package dev.millrace.images;

import dev.millrace.column.Tensor;
import dev.millrace.images.options.ReadImages;
import dev.millrace.internal.images.ImagesFormat;
import dev.millrace.source.Source;
import dev.millrace.testing.SourceContract;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A folder of images as a source.
class ImageSourceTest extends SourceContract {
    @TempDir
    Path folder;

    @BeforeEach
    void write() throws Exception {
        for (int i = 0; i < 9; i++) {
            Files.write(folder.resolve("image-" + i + ".png"), ReadImagesTest.encoded("png", 3 + i, 20 - i));
        }
    }

    @Override
    protected Source source() {
        return new ImagesFormat()
                .open(List.of(folder.toString()), ReadImages.rgb().includePaths());
    }

    @Override
    protected List<Map<String, Object>> rows() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int height = 3 + i;
            int width = 20 - i;
            byte[] pixels = new byte[height * width * 3];
            for (int at = 0; at < height * width; at++) {
                pixels[3 * at] = (byte) (at % width);
                pixels[3 * at + 1] = (byte) (at / width);
                pixels[3 * at + 2] = 7;
            }
            Map<String, Object> row = new LinkedHashMap<>();
            row.put(
                    "image",
                    Tensor.copyOf(DataType.UINT8, new int[] {height, width, 3}, MemorySegment.ofArray(pixels)));
            row.put("path", folder.resolve("image-" + i + ".png").toString());
            rows.add(row);
        }
        return rows;
    }
}
