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
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What models that were trained on ImageNet expect of an image: the shorter side resized to 256 pixels, the middle 224
/// x 224 of it, `(pixel / 255 - mean) / std` per channel, one plane per channel: a tensor of 3 x 224 x 224. All of that
/// in one pass that never makes the pixels it would crop away.
///
/// ```java
/// session.readImages("photos/").mapBatches(ImageNetPreprocess.standard())
/// ImageNetPreprocess.standard().mean(.498, .498, .498).std(.502, .502, .502)      // EfficientNet-Lite's numbers
/// ```
///
/// The column `image` (pixels, uint8, height x width x channels, of equal or different sizes; or the bytes of image
/// files, which are decoded and turned upright) is replaced; the other columns stay. A grey image becomes a coloured
/// one, alpha is left out. Null stays null.
///
/// Pixels are those of Pillow's `resize`, in torchvision's geometry, by which the usual models were trained: the longer
/// side is cut off to whole pixels, an odd margin of the crop rounded to the even neighbour. Where an image is made
/// less than twice smaller, a pixel may differ from Pillow's by 2 of 255, by 0.1 on average, unless they are to be
/// [#exact].
///
/// Immutable: each method answers a changed copy.
public final class ImageNetPreprocess implements BatchFunction, OutputSchema {
    private static final long serialVersionUID = 1;

    private static final int CHANNELS = 3;

    private final String column;
    private final @Nullable String output;
    private final int resize;
    private final int crop;
    private final double[] mean;
    private final double[] std;
    private final boolean half;
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
            boolean half,
            Interpolation interpolation,
            boolean exact) {
        this.column = column;
        this.output = output;
        this.resize = resize;
        this.crop = crop;
        this.mean = mean;
        this.std = std;
        this.half = half;
        this.interpolation = interpolation;
        this.exact = exact;
    }

    /// Of the column `image`, in its place, with ImageNet's mean and deviation.
    public static ImageNetPreprocess standard() {
        return new ImageNetPreprocess(
                "image",
                null,
                256,
                224,
                new double[] {0.485, 0.456, 0.406},
                new double[] {0.229, 0.224, 0.225},
                false,
                Interpolation.BILINEAR,
                false);
    }

    /// Takes the images from this column.
    public ImageNetPreprocess column(String name) {
        Objects.requireNonNull(name, "column: the name is null");
        return new ImageNetPreprocess(name, output, resize, crop, mean, std, half, interpolation, exact);
    }

    /// Puts the tensors into this column and leaves the images where they are.
    public ImageNetPreprocess output(String name) {
        Objects.requireNonNull(name, "output: the name is null");
        return new ImageNetPreprocess(column, name, resize, crop, mean, std, half, interpolation, exact);
    }

    /// Resizes the shorter side to so many pixels; 256 unless said.
    public ImageNetPreprocess resize(int shorterSide) {
        requirePositive("resize", shorterSide);
        return new ImageNetPreprocess(column, output, shorterSide, crop, mean, std, half, interpolation, exact);
    }

    /// Takes the middle of so many pixels in each direction; 224 unless said. It must lie within the resized image:
    /// nothing is padded.
    public ImageNetPreprocess crop(int side) {
        requirePositive("crop", side);
        return new ImageNetPreprocess(column, output, resize, side, mean, std, half, interpolation, exact);
    }

    private static void requirePositive(String method, int side) {
        if (side < 1) {
            throw MillraceException.user(
                    "ImageNetPreprocess." + method + "(" + side + "): a side has at least one pixel.");
        }
    }

    /// What is subtracted from red, green and blue, when pixels are numbers from 0 to 1.
    public ImageNetPreprocess mean(double red, double green, double blue) {
        double[] changed = {red, green, blue};
        requireFinite("mean", changed);
        return new ImageNetPreprocess(column, output, resize, crop, changed, std, half, interpolation, exact);
    }

    /// What red, green and blue are divided by then.
    public ImageNetPreprocess std(double red, double green, double blue) {
        double[] changed = {red, green, blue};
        requireFinite("std", changed);
        if (Arrays.stream(changed).anyMatch(value -> value == 0)) {
            throw MillraceException.user("ImageNetPreprocess.std" + list(changed) + ": nothing is divided by 0.");
        }
        return new ImageNetPreprocess(column, output, resize, crop, mean, changed, half, interpolation, exact);
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

    /// Numbers of 16 bits instead of 32.
    public ImageNetPreprocess float16() {
        return new ImageNetPreprocess(column, output, resize, crop, mean, std, true, interpolation, exact);
    }

    /// How images are resized; bilinear unless said.
    public ImageNetPreprocess interpolation(Interpolation filter) {
        Objects.requireNonNull(filter, "interpolation: the filter is null");
        return new ImageNetPreprocess(column, output, resize, crop, mean, std, half, filter, exact);
    }

    /// Pixels that are Pillow's, bit for bit, for half as much time again after decoding.
    public ImageNetPreprocess exact() {
        return new ImageNetPreprocess(column, output, resize, crop, mean, std, half, interpolation, true);
    }

    /// The type of the tensors.
    public DataType.Tensor type() {
        return DataType.tensor(half ? DataType.FLOAT16 : DataType.FLOAT32, CHANNELS, crop, crop);
    }

    /// The same columns, with the tensors.
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        input.require(column, "ImageNetPreprocess");
        String target = output == null ? column : output;
        List<Field> fields = new ArrayList<>(input.fields());
        Field tensors = new Field(target, type());
        int position = input.indexOf(target);
        if (position < 0) {
            fields.add(tensors);
        } else {
            fields.set(position, tensors);
        }
        return Optional.of(Schema.of(fields));
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
            target = PixelPlanes.normalised(mean, std, half);
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
