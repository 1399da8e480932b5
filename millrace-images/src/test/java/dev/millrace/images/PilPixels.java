package dev.millrace.images;

import dev.millrace.column.Tensor;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What PIL made of an image: height x width x channels.
record PilPixels(int[] shape, byte[] bytes) {
    static PilPixels of(Path image, String mode) {
        try (DataInputStream in = new DataInputStream(
                Files.newInputStream(image.resolveSibling(image.getFileName() + "." + mode + ".pixels")))) {
            int[] shape = {in.readInt(), in.readInt(), in.readInt()};
            return new PilPixels(shape, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// How far an image is from this one.
    Difference from(Tensor image) {
        return from(image, null);
    }

    /// The same, but for pixels that are not opaque.
    ///
    /// @param alpha the image with alpha
    Difference fromVisible(Tensor image, PilPixels alpha) {
        return from(image, alpha);
    }

    private Difference from(Tensor image, @Nullable PilPixels alpha) {
        int[] ofTensor = shape[2] == 1 ? new int[] {shape[0], shape[1]} : shape;
        if (!Arrays.equals(ofTensor, image.shape())) {
            throw new AssertionError("shape " + Arrays.toString(image.shape()) + ", PIL " + Arrays.toString(ofTensor));
        }
        byte[] other = image.data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        int most = 0;
        long sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (alpha != null && alpha.bytes[i / shape[2] * 4 + 3] != -1) {
                continue;
            }
            int difference = Math.abs((bytes[i] & 0xFF) - (other[i] & 0xFF));
            most = Math.max(most, difference);
            sum += difference;
        }
        return new Difference(most, (double) sum / bytes.length);
    }

    record Difference(int most, double mean) {}
}
