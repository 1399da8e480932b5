package dev.millrace.internal.images.resample;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Converts pixels to numbers: `(pixel / 255 - mean) / std` per channel, one plane per channel, as float32 or float16.
public final class PixelPlanes {
    private final float[] scale;
    private final float[] bias;
    private final boolean half;

    private PixelPlanes(float[] scale, float[] bias, boolean half) {
        this.scale = scale;
        this.bias = bias;
        this.half = half;
    }

    /// @param mean one per plane, between 0 and 1
    /// @param half whether the numbers are float16
    public static PixelPlanes normalised(double[] mean, double[] std, boolean half) {
        float[] scale = new float[mean.length];
        float[] bias = new float[mean.length];
        for (int i = 0; i < mean.length; i++) {
            scale[i] = (float) (1 / (255 * std[i]));
            bias[i] = (float) (-mean[i] / std[i]);
        }
        return new PixelPlanes(scale, bias, half);
    }

    /// `pixel / 255`, with this many planes.
    public static PixelPlanes unit(int count, boolean half) {
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        return normalised(new double[count], ones, half);
    }

    /// Writes an image without resizing it. A grey image fills every plane; alpha is dropped if there is no plane for
    /// it.
    public void write(PixelImage image, MemorySegment target) {
        requireChannels(image);
        int width = image.width();
        PixelRowSink sink = new PlaneRows(this, image.channels(), width, image.height(), target);
        int[] row = new int[width];
        for (int y = 0; y < image.height(); y++) {
            PixelLoader.row(image, 0, width, y, false, row);
            sink.row(y, row, width);
        }
    }

    void requireChannels(PixelImage image) {
        if (count() > image.channels() && image.channels() != 1) {
            throw new IllegalArgumentException(
                    "An image of " + image.channels() + " channels does not have " + count() + " planes.");
        }
    }

    public int count() {
        return scale.length;
    }

    public boolean half() {
        return half;
    }

    /// The number of bytes of an image of this size.
    public long bytes(int width, int height) {
        return (long) width * height * count() * (half ? Short.BYTES : Float.BYTES);
    }

    float scale(int plane) {
        return scale[plane];
    }

    float bias(int plane) {
        return bias[plane];
    }
}
