package dev.millrace.examples;

import static org.bytedeco.opencv.global.opencv_imgcodecs.imencode;
import static org.bytedeco.opencv.global.opencv_imgproc.COLOR_RGB2BGR;
import static org.bytedeco.opencv.global.opencv_imgproc.FONT_HERSHEY_SIMPLEX;
import static org.bytedeco.opencv.global.opencv_imgproc.INTER_AREA;
import static org.bytedeco.opencv.global.opencv_imgproc.LINE_AA;
import static org.bytedeco.opencv.global.opencv_imgproc.cvtColor;
import static org.bytedeco.opencv.global.opencv_imgproc.putText;
import static org.bytedeco.opencv.global.opencv_imgproc.resize;

import dev.millrace.column.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Point;
import org.bytedeco.opencv.opencv_core.Rect;
import org.bytedeco.opencv.opencv_core.Scalar;
import org.bytedeco.opencv.opencv_core.Size;

/// Many photographs on one page, each with two lines of text below it. The font is OpenCV's, so that a machine needs no
/// fonts of its own.
public final class ContactSheet {
    private static final int COLUMNS = 4;
    private static final int CELL_WIDTH = 260;
    private static final int PHOTO_HEIGHT = 195;
    private static final int TEXT_HEIGHT = 52;
    private static final int MARGIN = 12;
    /// The number of letters that fit below a photograph.
    private static final int LETTERS = 28;

    private ContactSheet() {}

    /// A photograph (RGB, height x width x 3, uint8) and the text below it.
    public record Photo(Tensor image, String title, String subtitle) {}

    /// Writes the page; the extension of the name (.jpg, .png) determines the format.
    public static void write(List<Photo> photos, Path file) throws IOException {
        if (photos.isEmpty()) {
            throw new IllegalArgumentException("A contact sheet needs at least one photograph.");
        }
        int columns = Math.min(COLUMNS, photos.size());
        int rows = (photos.size() + columns - 1) / columns;
        int cellHeight = PHOTO_HEIGHT + TEXT_HEIGHT;
        try (PointerScope _ = new PointerScope()) {
            Mat page = new Mat(
                    MARGIN + rows * (cellHeight + MARGIN),
                    MARGIN + columns * (CELL_WIDTH + MARGIN),
                    opencv_core.CV_8UC3,
                    new Scalar(255, 255, 255, 0));
            for (int i = 0; i < photos.size(); i++) {
                int x = MARGIN + i % columns * (CELL_WIDTH + MARGIN);
                int y = MARGIN + i / columns * (cellHeight + MARGIN);
                place(photos.get(i), page, x, y);
            }
            Files.write(file, encoded(page, file));
        }
    }

    /// Draws the photograph centred in its cell, as large as fits.
    private static void place(Photo photo, Mat page, int x, int y) {
        int[] shape = photo.image().shape();
        Mat image = new Mat(shape[0], shape[1], opencv_core.CV_8UC3);
        image.data().capacity((long) shape[0] * shape[1] * 3).put(photo.image().toBytes());
        double scale = Math.min((double) CELL_WIDTH / shape[1], (double) PHOTO_HEIGHT / shape[0]);
        int width = Math.clamp(Math.round(shape[1] * scale), 1, CELL_WIDTH);
        int height = Math.clamp(Math.round(shape[0] * scale), 1, PHOTO_HEIGHT);
        Rect where = new Rect(x + (CELL_WIDTH - width) / 2, y + (PHOTO_HEIGHT - height) / 2, width, height);
        Mat scaled = new Mat();
        resize(image, scaled, new Size(width, height), 0, 0, INTER_AREA);
        cvtColor(scaled, page.apply(where), COLOR_RGB2BGR);
        text(photo.title(), page, x, y + PHOTO_HEIGHT + 20, 0.5, new Scalar(30, 30, 30, 0));
        text(photo.subtitle(), page, x, y + PHOTO_HEIGHT + 42, 0.45, new Scalar(130, 90, 20, 0));
    }

    private static void text(String words, Mat page, int x, int y, double size, Scalar colour) {
        String line = words.length() <= LETTERS ? words : words.substring(0, LETTERS - 2) + "..";
        putText(page, line, new Point(x + 2, y), FONT_HERSHEY_SIMPLEX, size, colour, 1, LINE_AA, false);
    }

    private static byte[] encoded(Mat page, Path file) throws IOException {
        String name = file.getFileName().toString();
        String ending = name.substring(Math.max(0, name.lastIndexOf('.')));
        BytePointer bytes = new BytePointer();
        if (!ending.startsWith(".") || !imencode(ending, page, bytes)) {
            throw new IOException("A contact sheet cannot be written as '" + name + "': name it .jpg or .png.");
        }
        byte[] encoded = new byte[Math.toIntExact(bytes.limit())];
        bytes.get(encoded);
        return encoded;
    }
}
