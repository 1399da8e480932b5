package dev.millrace.images;

import dev.millrace.batch.Batch;
import dev.millrace.column.Column;
import dev.millrace.column.TensorBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Costs;
import dev.millrace.function.OutputSchema;
import dev.millrace.images.options.Interpolation;
import dev.millrace.internal.images.operation.ColumnImages;
import dev.millrace.internal.images.resample.ImageResampler;
import dev.millrace.internal.images.resample.ImageWindow;
import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.internal.images.resample.PixelPlanes;
import dev.millrace.internal.images.resample.PlaneForm;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Preprocessing that models trained on ImageNet expect: resizes the shorter side to 256 pixels, crops the central 224
/// x 224 pixels, and normalises each channel as `(pixel / 255 - mean) / std`, with one plane per channel: a tensor of 3
/// x 224 x 224. It runs in one pass that never computes the pixels that the crop would discard.
///
/// ```java
/// session.readImages("photos/").mapBatches(ImageNetPreprocess.standard())
/// ImageNetPreprocess.standard().mean(.498, .498, .498).std(.502, .502, .502)      // EfficientNet-Lite's numbers
/// ```
///
/// The column `image` is replaced; the other columns stay. It contains pixels (uint8, height x width x channels, of
/// equal or different sizes) or encoded image files, which are decoded and turned upright. A grey image is expanded to
/// RGB, alpha is dropped. Null stays null.
///
/// Pixels equal those of Pillow's `resize` with torchvision's geometry, with which the common models were trained: the
/// length of the longer side is truncated to an integer, an odd crop margin is rounded half to even. If an image
/// shrinks by less than a factor of two, a pixel may differ from Pillow's by 2 of 255 (0.1 on average), unless [#exact]
/// is set.
///
/// Immutable: each method returns a modified copy.
public final class ImageNetPreprocess implements BatchFunction, OutputSchema {
    private static final long serialVersionUID = 1;

    private static final int CHANNELS = 3;

    private final String column;
    private final @Nullable String output;
    private final int resize;
    private final int crop;
    private final double[] mean;
    private final double[] std;
    private final PlaneForm form;
    private final Interpolation interpolation;
    private final boolean exact;
    private transient @Nullable PixelPlanes planes;

    private ImageNetPreprocess(
            String column,
            @Nullable String output,
            int resize,
            int crop,
            double[] mean,
            double[] std,
            PlaneForm form,
            Interpolation interpolation,
            boolean exact) {
        this.column = column;
        this.output = output;
        this.resize = resize;
        this.crop = crop;
        this.mean = mean;
        this.std = std;
        this.form = form;
        this.interpolation = interpolation;
        this.exact = exact;
    }

    /// Replaces the column `image`, with ImageNet's mean and standard deviation.
    public static ImageNetPreprocess standard() {
        return new ImageNetPreprocess(
                "image",
                null,
                256,
                224,
                new double[] {0.485, 0.456, 0.406},
                new double[] {0.229, 0.224, 0.225},
                PlaneForm.FLOAT32,
                Interpolation.BILINEAR,
                false);
    }

    /// Takes the images from this column.
    public ImageNetPreprocess column(String name) {
        Objects.requireNonNull(name, "column: the name is null");
        return new ImageNetPreprocess(name, output, resize, crop, mean, std, form, interpolation, exact);
    }

    /// Puts the tensors into this column and leaves the images where they are.
    public ImageNetPreprocess output(String name) {
        Objects.requireNonNull(name, "output: the name is null");
        return new ImageNetPreprocess(column, name, resize, crop, mean, std, form, interpolation, exact);
    }

    /// The length in pixels to which the shorter side is resized; 256 by default.
    public ImageNetPreprocess resize(int shorterSide) {
        requirePositive("resize", shorterSide);
        return new ImageNetPreprocess(column, output, shorterSide, crop, mean, std, form, interpolation, exact);
    }

    /// The side of the central square that is kept, in pixels; 224 by default. It must lie within the resized image:
    /// nothing is padded.
    public ImageNetPreprocess crop(int side) {
        requirePositive("crop", side);
        return new ImageNetPreprocess(column, output, resize, side, mean, std, form, interpolation, exact);
    }

    private static void requirePositive(String method, int side) {
        if (side < 1) {
            throw MillraceException.user(
                    "ImageNetPreprocess." + method + "(" + side + "): a side has at least one pixel.");
        }
    }

    /// The mean that is subtracted from red, green and blue, for pixels scaled to 0 to 1.
    public ImageNetPreprocess mean(double red, double green, double blue) {
        double[] changed = {red, green, blue};
        requireFinite("mean", changed);
        return new ImageNetPreprocess(column, output, resize, crop, changed, std, form, interpolation, exact);
    }

    /// The standard deviation by which red, green and blue are divided after the mean is subtracted.
    public ImageNetPreprocess std(double red, double green, double blue) {
        double[] changed = {red, green, blue};
        requireFinite("std", changed);
        if (Arrays.stream(changed).anyMatch(value -> value == 0)) {
            throw MillraceException.user("ImageNetPreprocess.std" + list(changed) + ": nothing is divided by 0.");
        }
        return new ImageNetPreprocess(column, output, resize, crop, mean, changed, form, interpolation, exact);
    }

    private static void requireFinite(String method, double[] values) {
        if (!Arrays.stream(values).allMatch(Double::isFinite)) {
            throw MillraceException.user(
                    "ImageNetPreprocess." + method + list(values) + ": all three must be finite numbers.");
        }
    }

    private static String list(double[] values) {
        return "(" + values[0] + ", " + values[1] + ", " + values[2] + ")";
    }

    /// Makes float16 tensors instead of float32.
    public ImageNetPreprocess float16() {
        return as(PlaneForm.FLOAT16);
    }

    /// Makes tensors of the cropped pixels themselves, 3 x 224 x 224 numbers from 0 to 255, a quarter of the memory of
    /// float32: they are normalised where the model runs, `millrace.vision.ImageInput` in Python. Mean and
    /// standard deviation are not used.
    public ImageNetPreprocess uint8() {
        return as(PlaneForm.UINT8);
    }

    /// The same with the channels last, 224 x 224 x 3, as images are decoded.
    public ImageNetPreprocess uint8ChannelsLast() {
        return as(PlaneForm.UINT8_INTERLEAVED);
    }

    private ImageNetPreprocess as(PlaneForm other) {
        return new ImageNetPreprocess(column, output, resize, crop, mean, std, other, interpolation, exact);
    }

    /// The resampling filter; bilinear by default.
    public ImageNetPreprocess interpolation(Interpolation filter) {
        Objects.requireNonNull(filter, "interpolation: the filter is null");
        return new ImageNetPreprocess(column, output, resize, crop, mean, std, form, filter, exact);
    }

    /// Makes the pixels equal Pillow's bit for bit, which takes about 1.5 times as long after decoding.
    public ImageNetPreprocess exact() {
        return new ImageNetPreprocess(column, output, resize, crop, mean, std, form, interpolation, true);
    }

    /// The type of the tensors.
    public DataType.Tensor type() {
        return switch (form) {
            case FLOAT32 -> DataType.tensor(DataType.FLOAT32, CHANNELS, crop, crop);
            case FLOAT16 -> DataType.tensor(DataType.FLOAT16, CHANNELS, crop, crop);
            case UINT8 -> DataType.tensor(DataType.UINT8, CHANNELS, crop, crop);
            case UINT8_INTERLEAVED -> DataType.tensor(DataType.UINT8, crop, crop, CHANNELS);
        };
    }

    /// The input columns, with the tensor column replaced or added.
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        input.require(column, "ImageNetPreprocess");
        String target = output == null ? column : output;
        return Optional.of(input.with(new Field(target, type())));
    }

    @Override
    public Batch apply(Batch batch) {
        if (crop > resize) {
            throw MillraceException.user("ImageNetPreprocess: a crop of " + crop + " pixels does not lie in an image"
                    + " whose shorter side is resized to " + resize + ". Choose resize(" + crop
                    + ") or more, or a smaller crop.");
        }
        PixelPlanes target = planes;
        if (target == null) {
            target = form.isUnsigned()
                    ? PixelPlanes.unsigned(form == PlaneForm.UINT8_INTERLEAVED)
                    : PixelPlanes.normalised(mean, std, form == PlaneForm.FLOAT16);
            planes = target;
        }
        long began = System.nanoTime();
        TensorBuilder tensors = (TensorBuilder) batch.newColumn(type());
        try (ColumnImages images = ColumnImages.of(column, batch.column(column), batch.allocator());
                ImageResampler resampler = ImageResampler.take()) {
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < batch.rows(); row++) {
                running.check();
                PixelImage image = images.pixels(row);
                if (image == null) {
                    tensors.appendNull();
                } else {
                    fill(resampler, image, row, target, tensors);
                }
            }
        }
        Costs.prepared("preprocessing images", System.nanoTime() - began);
        Column made = tensors.build();
        return batch.with(output == null ? column : output, made);
    }

    private void fill(ImageResampler resampler, PixelImage image, long row, PixelPlanes target, TensorBuilder tensors) {
        long shorter = Math.min(image.width(), image.height());
        long width = image.width() * (long) resize / shorter;
        long height = image.height() * (long) resize / shorter;
        if (Math.max(width, height) > Integer.MAX_VALUE) {
            throw MillraceException.data("Row " + row + " of column '" + column + "' is an image of " + image.width()
                    + " x " + image.height() + " pixels, which is too narrow to be resized to " + resize + ".");
        }
        ImageWindow middle = ImageWindow.centre((int) width, (int) height, crop, crop);
        resampler.planes(
                image, (int) width, (int) height, middle, interpolation, exact, target, tensors.appendUninitialised());
    }

    @Override
    public String toString() {
        return "ImageNetPreprocess";
    }
}
