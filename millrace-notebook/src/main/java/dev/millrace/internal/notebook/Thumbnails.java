package dev.millrace.internal.notebook;

import dev.millrace.column.Tensor;
import dev.millrace.type.DataType;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/// Tensors that are pictures, as small pictures inside of the page: bytes of one, three or four channels behind height
/// and width, and matrices of numbers in grey, from the smallest to the largest.
final class Thumbnails {
    private static final int SIDE = 96;
    private static final int MAX_SIDE = 8_192;

    private Thumbnails() {}

    /// Null if it is no picture.
    static @Nullable String html(Tensor tensor) {
        int[] shape = tensor.shape();
        boolean bytes = tensor.element().equals(DataType.UINT8);
        boolean matrix = shape.length == 2 && shape[0] > 1 && shape[1] > 1;
        boolean channels = bytes && shape.length == 3 && (shape[2] == 1 || shape[2] == 3 || shape[2] == 4);
        if (!matrix && !channels || shape[0] < 1 || shape[1] < 1 || shape[0] > MAX_SIDE || shape[1] > MAX_SIDE) {
            return null;
        }
        int height = shape[0];
        int width = shape[1];
        double scale = Math.min(1, (double) SIDE / Math.max(height, width));
        int shownHeight = Math.max(1, (int) Math.round(height * scale));
        int shownWidth = Math.max(1, (int) Math.round(width * scale));
        int perPixel = matrix ? 1 : shape[2];
        double[] range = bytes ? new double[] {0, 255} : range(tensor);
        BufferedImage picture = new BufferedImage(shownWidth, shownHeight, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < shownHeight; y++) {
            for (int x = 0; x < shownWidth; x++) {
                int row = Math.min(height - 1, (int) (y / scale));
                int column = Math.min(width - 1, (int) (x / scale));
                int at = (row * width + column) * perPixel;
                int red = grey(tensor.getDouble(at), range);
                int green = perPixel < 3 ? red : grey(tensor.getDouble(at + 1), range);
                int blue = perPixel < 3 ? red : grey(tensor.getDouble(at + 2), range);
                picture.setRGB(x, y, red << 16 | green << 8 | blue);
            }
        }
        return "<img alt=\"" + Arrays.toString(shape) + "\" title=\""
                + HtmlTables.escaped(tensor.type().toString()) + "\" src=\"data:image/png;base64,"
                + Base64.getEncoder().encodeToString(png(picture)) + "\">";
    }

    private static double[] range(Tensor tensor) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < tensor.elements(); i++) {
            double value = tensor.getDouble(i);
            if (Double.isFinite(value)) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        return new double[] {least, most};
    }

    private static int grey(double value, double[] range) {
        double width = range[1] - range[0];
        return Double.isFinite(value) && width > 0 ? (int) Math.round(255 * (value - range[0]) / width) : 0;
    }

    private static byte[] png(BufferedImage picture) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(picture, "png", bytes);
        } catch (IOException e) {
            throw new IllegalStateException("an array takes all bytes", e);
        }
        return bytes.toByteArray();
    }
}
