package dev.millrace.internal.images.resample;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Converts pixels to numbers: `(pixel / 255 - mean) / std` per channel, one plane per channel, as float32 or float16;
/// or leaves them as they are, in planes or interleaved.
public final class PixelPlanes {
    private final float[] scale;
    private final float[] bias;
    private final PlaneForm form;

    private PixelPlanes(float[] scale, float[] bias, PlaneForm form) {
        this.scale = scale;
        this.bias = bias;
        this.form = form;
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
        return new PixelPlanes(scale, bias, half ? PlaneForm.FLOAT16 : PlaneForm.FLOAT32);
    }

    /// Red, green and blue as they are.
    public static PixelPlanes unsigned(boolean interleaved) {
        return new PixelPlanes(
                new float[] {1, 1, 1}, new float[3], interleaved ? PlaneForm.UINT8_INTERLEAVED : PlaneForm.UINT8);
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

    public PlaneForm form() {
        return form;
    }

    /// The number of bytes of an image of this size.
    public long bytes(int width, int height) {
        return (long) width * height * count() * form.bytes();
    }

    float scale(int plane) {
        return scale[plane];
    }

    float bias(int plane) {
        return bias[plane];
    }
}
