package dev.millrace.internal.images.operation;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.TensorBuilder;
import dev.millrace.column.VariableTensorBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.images.options.ImageMode;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageEncoder;
import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A chain of steps over one column of images.
///
/// @param steps a decode may only be first, planes or an encode only last
public record ImageFunction(List<ImageStep> steps) implements ColumnFunction {
    public ImageFunction {
        steps = List.copyOf(steps);
    }

    /// Appends a step.
    public ImageFunction then(ImageStep step) {
        List<ImageStep> more = new ArrayList<>(steps);
        more.add(step);
        return new ImageFunction(more);
    }

    /// True if the results are images, to which further steps can be applied.
    public boolean givesImages() {
        return !(steps.getLast() instanceof ImageStep.ToPlanes) && !(steps.getLast() instanceof ImageStep.Encode);
    }

    @Override
    public String text(List<String> arguments) {
        String text = arguments.getFirst();
        for (ImageStep step : steps) {
            text = step.text(text);
        }
        return text;
    }

    @Override
    public DataType type(List<DataType> arguments) {
        return typeOf(planned(arguments.getFirst()), expected(arguments.getFirst()));
    }

    /// The steps as they run over a column of this type: images of one size and unknown channels are converted to RGB.
    private List<ImageStep> planned(DataType input) {
        ImageShape shape = expected(input);
        if (steps.getLast() instanceof ImageStep.Encode) {
            return steps.subList(0, steps.size() - 1);
        }
        if (shape.channels() == ImageShape.ANY && after(steps, shape).knowsSize()) {
            List<ImageStep> coloured = new ArrayList<>(steps);
            coloured.addFirst(new ImageStep.Convert(ImageMode.RGB));
            return coloured;
        }
        return steps;
    }

    private DataType typeOf(List<ImageStep> planned, ImageShape input) {
        ImageShape shape = after(planned, input);
        if (steps.getLast() instanceof ImageStep.Encode encode) {
            check(encode, shape);
            return DataType.BINARY;
        }
        if (steps.getLast() instanceof ImageStep.ToPlanes planes) {
            DataType number = planes.half() ? DataType.FLOAT16 : DataType.FLOAT32;
            return shape.isKnown()
                    ? DataType.tensor(number, shape.channels(), shape.height(), shape.width())
                    : DataType.variableTensor(number, 3);
        }
        return shape.pixelType();
    }

    /// Suggests how to apply `next`, given that this function does not return images.
    public String remedyBefore(ImageStep next) {
        boolean both = steps.getLast() instanceof ImageStep.ToPlanes && next instanceof ImageStep.ToPlanes;
        return both
                ? "toChw and normalise both make planes of numbers, and normalise divides by 255 too: use one of them."
                : "Put " + next.text("image") + " inside of it.";
    }

    /// The shape that is known from the column's type.
    private ImageShape expected(DataType type) {
        ImageStep first = steps.getFirst();
        if (first instanceof ImageStep.Decode decode) {
            if (!(type instanceof DataType.Binary)) {
                throw MillraceException.user(
                        first.text("column") + " takes the bytes of image files, and the column is " + type + ".");
            }
            return new ImageShape(ImageShape.ANY, ImageShape.ANY, decode.mode().channels());
        }
        return switch (type) {
            case DataType.Tensor tensor
            when tensor.element().equals(DataType.UINT8) && isImage(tensor.shape()) ->
                new ImageShape(
                        tensor.shape().get(0),
                        tensor.shape().get(1),
                        tensor.shape().size() == 2 ? 1 : tensor.shape().get(2));
            case DataType.VariableTensor tensor
            when tensor.element().equals(DataType.UINT8) && (tensor.dimensions() == 3 || tensor.dimensions() == 2) ->
                new ImageShape(ImageShape.ANY, ImageShape.ANY, tensor.dimensions() == 2 ? 1 : ImageShape.ANY);
            case DataType.Binary _ ->
                throw MillraceException.user(first.text("column")
                        + " takes images, and the column is binary. Decode it first: Images.decode(column).");
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Dictionary _,
                    DataType.Nested _ ->
                throw MillraceException.user(first.text("column")
                        + " takes images, which are tensors of uint8, height x width x channels; the column is " + type
                        + "."
                        + (isPlanes(type)
                                ? " Is it made by toChw or normalise? Both stand last, and one is"
                                        + " enough: give the column of images to " + first.text("image") + "."
                                : ""));
        };
    }

    private static boolean isPlanes(DataType type) {
        return switch (type) {
            case DataType.Tensor tensor ->
                isFraction(tensor.element()) && tensor.shape().size() == 3;
            case DataType.VariableTensor tensor -> isFraction(tensor.element()) && tensor.dimensions() == 3;
            // Not a tensor type.
            default -> false;
        };
    }

    private static boolean isFraction(DataType type) {
        return type.equals(DataType.FLOAT32) || type.equals(DataType.FLOAT16);
    }

    private static boolean isImage(List<Integer> shape) {
        return shape.size() == 2 || shape.size() == 3 && (shape.get(2) == 1 || shape.get(2) == 3 || shape.get(2) == 4);
    }

    private static ImageShape after(List<ImageStep> steps, ImageShape shape) {
        for (ImageStep step : steps) {
            shape = check(step, shape);
        }
        return shape;
    }

    private static ImageShape check(ImageStep step, ImageShape shape) {
        try {
            return step.after(shape);
        } catch (BadImage e) {
            throw MillraceException.user("Every image of the column " + e.getMessage() + ".");
        }
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        Column column = arguments.getFirst();
        List<ImageStep> planned = planned(column.type());
        DataType type = typeOf(planned, expected(column.type()));
        ImageInput input = ImageInput.of(column, steps.getFirst() instanceof ImageStep.Decode decode ? decode : null);
        try (ColumnBuilder output = ColumnBuilder.of(allocator, type, column.length());
                ImageEncoder encoder = steps.getLast() instanceof ImageStep.Encode encode
                        ? new ImageEncoder(encode.encoding(), allocator)
                        : null;
                ImageChain chain = new ImageChain(planned, allocator)) {
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < column.length(); row++) {
                running.check();
                if (column.isNull(row)) {
                    output.appendNull();
                } else {
                    one(input, row, chain, output, encoder);
                }
            }
            return output.build();
        }
    }

    private void one(
            ImageInput input, long row, ImageChain chain, ColumnBuilder output, @Nullable ImageEncoder encoder) {
        try {
            ImageShape shape = input.shape(row);
            ImageShape result = chain.after(shape);
            switch (output) {
                case TensorBuilder tensors -> chain.into(input, row, shape, tensors.appendUninitialised());
                case VariableTensorBuilder tensors ->
                    chain.into(
                            input,
                            row,
                            shape,
                            steps.getLast() instanceof ImageStep.ToPlanes
                                    ? tensors.appendUninitialised(result.channels(), result.height(), result.width())
                                    : tensors.appendUninitialised(
                                            result.dimensions(tensors.type().dimensions())));
                case BinaryBuilder bytes
                when encoder != null -> {
                    PixelImage image = chain.image(input, row, shape);
                    encoder.encode(image.segment(), image.height(), image.width(), image.channels(), bytes);
                }
                default -> throw MillraceException.internal("images do not become " + output.type());
            }
        } catch (BadImage e) {
            throw MillraceException.data(
                    text(List.of("column")) + ": the image " + e.getMessage() + ", in row " + row + " of the block.");
        }
    }
}
