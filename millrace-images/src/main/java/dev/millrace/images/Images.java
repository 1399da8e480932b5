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
/// An image is a tensor of uint8, height x width x channels: 1 (grey), 3 (RGB) or 4 (RGBA). Operations inside each
/// other run image by image, so that what lies between them takes the memory of one image only; a crop around a resize
/// makes no pixel that it would throw away. Where the size of the results is known the column has tensors of one shape;
/// images of a column that may hold any become RGB then, unless [#convert] says otherwise. Null stays null. Images that
/// cannot be decoded or cropped are data errors, which the verb's error policy decides about.
///
/// Where a method takes an `Object`, an [Expression] is itself and a string is the name of a column.
public final class Images {
    private Images() {}

    // Bytes of files to pixels and back

    /// Encoded images (JPEG, PNG, WebP, GIF, BMP, TIFF; the first frame) as RGB pixels, upright.
    public static Expression decode(Object bytes) {
        return decode(bytes, ImageMode.RGB);
    }

    /// The same as pixels of other channels.
    public static Expression decode(Object bytes, ImageMode mode) {
        return decode(bytes, mode, true, ImageDecoder.DEFAULT_MAX_PIXELS);
    }

    /// The same as the others, with all that can be said about decoding.
    ///
    /// @param upright whether images are turned as their EXIF orientation says
    /// @param maxPixels an image that claims to have more is a data error
    public static Expression decode(Object bytes, ImageMode mode, boolean upright, long maxPixels) {
        Objects.requireNonNull(mode, "decode: the mode is null");
        if (maxPixels < 1) {
            throw MillraceException.user("decode: an image has 1 or more pixels, not at most " + maxPixels + ".");
        }
        OpenCv.requirePresent();
        return new ColumnCall(
                new ImageFunction(List.of(new ImageStep.Decode(mode, upright, maxPixels))), List.of(expression(bytes)));
    }

    /// Images as the bytes of files.
    public static Expression encode(Object image, ImageEncoding encoding) {
        Objects.requireNonNull(encoding, "encode: the encoding is null");
        OpenCv.requirePresent();
        return apply(image, new ImageStep.Encode(encoding));
    }

    /// Other channels: grey, colours, colours with alpha.
    public static Expression convert(Object image, ImageMode mode) {
        Objects.requireNonNull(mode, "convert: the mode is null");
        return apply(image, new ImageStep.Convert(mode));
    }

    // Sizes

    /// Bilinear and antialiased, as PIL's.
    public static Expression resize(Object image, int height, int width) {
        return resize(image, height, width, Interpolation.BILINEAR);
    }

    /// The same with another filter.
    public static Expression resize(Object image, int height, int width, Interpolation filter) {
        requirePositive("resize", height, width);
        Objects.requireNonNull(filter, "resize: the filter is null");
        return apply(image, new ImageStep.Resize(height, width, filter));
    }

    /// The shorter side gets so many pixels, the longer one as many as keep the proportions.
    public static Expression resizeShorterSide(Object image, int side) {
        return resizeShorterSide(image, side, Interpolation.BILINEAR);
    }

    /// The same with another filter.
    public static Expression resizeShorterSide(Object image, int side, Interpolation filter) {
        requirePositive("resizeShorterSide", side, side);
        Objects.requireNonNull(filter, "resizeShorterSide: the filter is null");
        return apply(image, new ImageStep.ResizeShorterSide(side, filter));
    }

    /// A part of the image, which must lie in it.
    public static Expression crop(Object image, int top, int left, int height, int width) {
        requirePositive("crop", height, width);
        if (top < 0 || left < 0) {
            throw MillraceException.user("crop: a part cannot begin at row " + top + ", column " + left + ".");
        }
        return apply(image, new ImageStep.Crop(top, left, height, width));
    }

    /// The middle of the image, which must be as large.
    public static Expression centreCrop(Object image, int height, int width) {
        requirePositive("centreCrop", height, width);
        return apply(image, new ImageStep.CentreCrop(height, width));
    }

    // Mirrors

    /// Left becomes right.
    public static Expression flipHorizontal(Object image) {
        return apply(image, new ImageStep.Flip(true));
    }

    /// Top becomes bottom.
    public static Expression flipVertical(Object image) {
        return apply(image, new ImageStep.Flip(false));
    }

    // Numbers for models

    /// `pixel / 255` as float32, one plane per channel: channels x height x width.
    public static Expression toChw(Object image) {
        return toChw(image, DataType.FLOAT32);
    }

    /// The same as [#toChw(Object)], with the type of the numbers.
    ///
    /// @param number FLOAT32 or FLOAT16
    public static Expression toChw(Object image, DataType number) {
        return apply(image, new ImageStep.ToPlanes(List.of(), List.of(), isHalf("toChw", number)));
    }

    /// `(pixel / 255 - mean) / std` as float32, one plane for each of the numbers: channels x height x width. A grey
    /// image fills each plane, alpha is left out where there is no number for it.
    public static Expression normalise(Object image, double[] mean, double[] std) {
        return normalise(image, mean, std, DataType.FLOAT32);
    }

    /// The same as [#normalise(Object, double[], double[])], with the type of the numbers.
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

    /// The same for `mapBatches`: puts the images of such an expression over one column into a column of the batch.
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
