package dev.millrace.images;

import dev.millrace.batch.Batch;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnCall;
import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.function.BatchFunction;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.images.options.ImageMode;
import dev.millrace.images.options.Interpolation;
import dev.millrace.internal.images.codec.ImageDecoder;
import dev.millrace.internal.images.codec.OpenCv;
import dev.millrace.internal.images.operation.ImageFunction;
import dev.millrace.internal.images.operation.ImageStep;
import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Operations on columns of images, as expressions:
///
/// ```java
/// dataset.withColumn("image", Images.resize(Images.decode(col("jpg")), 256, 256))
/// ```
///
/// An image is a tensor of uint8, height x width x channels: 1 (grey), 3 (RGB) or 4 (RGBA). Nested operations run image
/// by image, so that an intermediate result takes the memory of one image only; a crop of a resize does not compute the
/// pixels that it would discard. If the size of the results is known, the column has tensors of one shape; images of a
/// column without fixed channels then become RGB, unless [#convert] says otherwise. Null stays null. Images that cannot
/// be decoded or cropped are data errors, which are subject to the error policy of the verb.
///
/// Where a method takes an `Object`, it accepts an [Expression] or a string, which is the name of a column.
public final class Images {
    private Images() {}

    // Encoding and decoding

    /// Decodes images (JPEG, PNG, WebP, GIF, BMP, TIFF; the first frame) to RGB pixels, turned upright.
    public static Expression decode(Object bytes) {
        return decode(bytes, ImageMode.RGB);
    }

    /// Decodes to pixels of the given mode.
    public static Expression decode(Object bytes, ImageMode mode) {
        return decode(bytes, mode, true, ImageDecoder.DEFAULT_MAX_PIXELS);
    }

    /// Decodes with all options.
    ///
    /// @param upright whether images are turned according to their EXIF orientation
    /// @param maxPixels an image whose header declares more pixels is a data error
    public static Expression decode(Object bytes, ImageMode mode, boolean upright, long maxPixels) {
        Objects.requireNonNull(mode, "decode: the mode is null");
        if (maxPixels < 1) {
            throw MillraceException.user("decode: an image has 1 or more pixels, not at most " + maxPixels + ".");
        }
        OpenCv.requirePresent();
        return new ColumnCall(
                new ImageFunction(List.of(new ImageStep.Decode(mode, upright, maxPixels))), List.of(expression(bytes)));
    }

    /// Encodes images as the bytes of image files.
    public static Expression encode(Object image, ImageEncoding encoding) {
        Objects.requireNonNull(encoding, "encode: the encoding is null");
        OpenCv.requirePresent();
        return apply(image, new ImageStep.Encode(encoding));
    }

    /// Converts images to other channels: grey, RGB, RGBA.
    public static Expression convert(Object image, ImageMode mode) {
        Objects.requireNonNull(mode, "convert: the mode is null");
        return apply(image, new ImageStep.Convert(mode));
    }

    // Sizes

    /// Resizes with an antialiased bilinear filter, like PIL.
    public static Expression resize(Object image, int height, int width) {
        return resize(image, height, width, Interpolation.BILINEAR);
    }

    /// The same with another filter.
    public static Expression resize(Object image, int height, int width, Interpolation filter) {
        requirePositive("resize", height, width);
        Objects.requireNonNull(filter, "resize: the filter is null");
        return apply(image, new ImageStep.Resize(height, width, filter));
    }

    /// Resizes the shorter side to this many pixels; the longer side keeps the aspect ratio.
    public static Expression resizeShorterSide(Object image, int side) {
        return resizeShorterSide(image, side, Interpolation.BILINEAR);
    }

    /// The same with another filter.
    public static Expression resizeShorterSide(Object image, int side, Interpolation filter) {
        requirePositive("resizeShorterSide", side, side);
        Objects.requireNonNull(filter, "resizeShorterSide: the filter is null");
        return apply(image, new ImageStep.ResizeShorterSide(side, filter));
    }

    /// Crops a region, which must lie within the image.
    public static Expression crop(Object image, int top, int left, int height, int width) {
        requirePositive("crop", height, width);
        if (top < 0 || left < 0) {
            throw MillraceException.user("crop: a part cannot begin at row " + top + ", column " + left + ".");
        }
        return apply(image, new ImageStep.Crop(top, left, height, width));
    }

    /// Crops the centre of the image, which must be at least this large.
    public static Expression centreCrop(Object image, int height, int width) {
        requirePositive("centreCrop", height, width);
        return apply(image, new ImageStep.CentreCrop(height, width));
    }

    // Mirrors

    /// Mirrors left to right.
    public static Expression flipHorizontal(Object image) {
        return apply(image, new ImageStep.Flip(true));
    }

    /// Mirrors top to bottom.
    public static Expression flipVertical(Object image) {
        return apply(image, new ImageStep.Flip(false));
    }

    // Numbers for models

    /// `pixel / 255` as float32, one plane per channel: channels x height x width.
    public static Expression toChw(Object image) {
        return toChw(image, DataType.FLOAT32);
    }

    /// Like [#toChw(Object)], with the given number type.
    ///
    /// @param number FLOAT32 or FLOAT16
    public static Expression toChw(Object image, DataType number) {
        return apply(image, new ImageStep.ToPlanes(List.of(), List.of(), isHalf("toChw", number)));
    }

    /// `(pixel / 255 - mean) / std` as float32, one plane per entry of `mean`: channels x height x width. A grey image
    /// fills every plane; alpha is dropped if there is no entry for it.
    public static Expression normalise(Object image, double[] mean, double[] std) {
        return normalise(image, mean, std, DataType.FLOAT32);
    }

    /// Like [#normalise(Object, double[], double[])], with the given number type.
    ///
    /// @param number FLOAT32 or FLOAT16
    public static Expression normalise(Object image, double[] mean, double[] std, DataType number) {
        boolean fine = mean.length == std.length
                && (mean.length == 1 || mean.length == 3 || mean.length == 4)
                && Arrays.stream(mean).allMatch(Double::isFinite)
                && Arrays.stream(std).allMatch(value -> Double.isFinite(value) && value != 0);
        if (!fine) {
            throw MillraceException.user("normalise takes a mean and a deviation that is not 0 for each of 1, 3 or 4"
                    + " channels, not " + Arrays.toString(mean) + " and " + Arrays.toString(std) + ".");
        }
        return apply(
                image,
                new ImageStep.ToPlanes(
                        Arrays.stream(mean).boxed().toList(),
                        Arrays.stream(std).boxed().toList(),
                        isHalf("normalise", number)));
    }

    // Batches

    /// A function for `mapBatches` that evaluates such an expression over one column and stores the images in a column
    /// of the batch.
    ///
    /// ```java
    /// dataset.mapBatches(Images.onBatch("image", Images.resize("image", 224, 224)))
    /// ```
    public static BatchFunction onBatch(String output, Expression images) {
        Objects.requireNonNull(output, "onBatch: the column's name is null");
        if (!(images.withoutAlias() instanceof ColumnCall(ImageFunction function, List<Expression> arguments))
                || !(arguments.getFirst() instanceof ColumnReference input)) {
            throw MillraceException.user("onBatch takes operations of Images over one column, not " + images
                    + ". Other expressions have their place in withColumn.");
        }
        return new OnBatch(output, input.name(), function);
    }

    private record OnBatch(String output, String input, ImageFunction function) implements BatchFunction {
        @Override
        public Batch apply(Batch batch) {
            Column column = batch.column(input);
            function.type(List.of(column.type()));
            return batch.with(output, function.apply(List.of(column), batch.allocator()));
        }

        @Override
        public String toString() {
            return function.text(List.of(input));
        }
    }

    private static Expression apply(Object image, ImageStep step) {
        Expression input = expression(image);
        if (input.withoutAlias() instanceof ColumnCall(ImageFunction function, List<Expression> arguments)) {
            if (!function.givesImages()) {
                throw MillraceException.user(step.text(input.toString()) + ": what " + input
                        + " gives are no images any more. " + function.remedyBefore(step));
            }
            return new ColumnCall(function.then(step), arguments);
        }
        return new ColumnCall(new ImageFunction(List.of(step)), List.of(input));
    }

    private static Expression expression(Object value) {
        return switch (value) {
            case Expression expression -> expression;
            case String name -> Expressions.col(name);
            case null -> throw MillraceException.user("An image is an expression or the name of a column, not null.");
            default ->
                throw MillraceException.user(
                        "An image is an expression or the name of a column, not a " + value.getClass() + ".");
        };
    }

    private static void requirePositive(String operation, int height, int width) {
        if (height < 1 || width < 1) {
            throw MillraceException.user(operation + ": an image cannot have a height of " + height + " and a width of "
                    + width + ": both must be positive.");
        }
    }

    private static boolean isHalf(String operation, DataType number) {
        if (!number.equals(DataType.FLOAT32) && !number.equals(DataType.FLOAT16)) {
            throw MillraceException.user(operation + " gives float32 or float16, not " + number + ".");
        }
        return number.equals(DataType.FLOAT16);
    }
}
