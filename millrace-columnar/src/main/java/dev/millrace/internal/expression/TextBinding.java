package dev.millrace.internal.expression;

import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Column;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.Literal;
import dev.millrace.expression.TextFunction;
import dev.millrace.internal.json.JsonPath;
import dev.millrace.type.DataType;
import java.text.Normalizer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Binds [TextFunction]s: the frequent ones to kernels on bytes, the others to Java's string methods.
final class TextBinding {
    private TextBinding() {}

    static ExpressionNode bind(TextFunction function, Call call, DataType result, List<ExpressionNode> arguments) {
        ExpressionNode input = arguments.getFirst();
        return switch (function) {
            case LOWER -> new TextFunctions.CaseChanged(input, false);
            case UPPER -> new TextFunctions.CaseChanged(input, true);
            case TRIM, LTRIM, RTRIM -> trimmed(function, arguments);
            case LENGTH -> new TextFunctions.Length(input, false);
            case BYTE_LENGTH -> new TextFunctions.Length(input, true);
            case SUBSTRING -> {
                ExpressionNode begin = CastNode.cast(arguments.get(1), DataType.INT64, true, call);
                ExpressionNode end =
                        arguments.size() < 3 ? null : CastNode.cast(arguments.get(2), DataType.INT64, true, call);
                yield new TextFunctions.Substring(input, begin, end);
            }
            case STARTS_WITH -> new TextPredicate(TextPredicate.Place.START, input, arguments.get(1));
            case ENDS_WITH -> new TextPredicate(TextPredicate.Place.END, input, arguments.get(1));
            case CONCAT -> new TextFunctions.Concatenated(arguments);
            case TO_BINARY -> new ToBinary(input);
            case REVERSE ->
                new TextKernels.Mapped(
                        input, text -> new StringBuilder(text).reverse().toString(), AsciiFunctions::reverse);
            case INDEX_OF -> {
                if (arguments.get(1) instanceof ConstantNode constant && constant.value() instanceof String part) {
                    yield new TextKernels.Counted(
                            input, text -> TextCharacters.find(text, part), AsciiFunctions.indexOf(part));
                }
                yield new RowwiseNode(
                        result,
                        arguments,
                        true,
                        (values, row) -> TextCharacters.find((String) values[0], (String) values[1]));
            }
            case REPLACE -> {
                if (arguments.get(1) instanceof ConstantNode from
                        && from.value() instanceof String part
                        && arguments.get(2) instanceof ConstantNode to
                        && to.value() instanceof String replacement) {
                    yield new TextKernels.Mapped(
                            input,
                            text -> part.isEmpty() ? text : text.replace(part, replacement),
                            AsciiFunctions.replace(part, replacement));
                }
                yield new RowwiseNode(
                        result,
                        arguments,
                        true,
                        (values, row) -> values[1].equals("")
                                ? values[0]
                                : ((String) values[0]).replace((String) values[1], (String) values[2]));
            }
            case LIKE -> new TextLike(input, TextTypes.like(call));
            case REGEX_MATCHES -> new TextKernels.Matched(input, TextTypes.pattern(call));
            case REGEX_EXTRACT -> {
                Pattern pattern = TextTypes.pattern(call);
                Matcher matcher = pattern.matcher("");
                int group = TextTypes.group(call);
                yield new TextKernels.Mapped(
                        input,
                        text -> matcher.reset(text).find() ? matcher.group(group) : null,
                        AsciiFunctions.extract(OnePassPattern.of(pattern), group));
            }
            case REGEX_REPLACE, REGEX_REPLACE_FIRST -> {
                Pattern pattern = TextTypes.pattern(call);
                Matcher matcher = pattern.matcher("");
                String replacement = (String) CallArguments.constant(call, 2);
                boolean all = function == TextFunction.REGEX_REPLACE;
                yield new TextKernels.Mapped(
                        input,
                        text -> all
                                ? matcher.reset(text).replaceAll(replacement)
                                : matcher.reset(text).replaceFirst(replacement),
                        AsciiFunctions.replace(OnePassPattern.of(pattern), replacement, all));
            }
            case REPEAT ->
                new TextFunctions.Repeated(input, CastNode.cast(arguments.get(1), DataType.INT64, true, call));
            case INITCAP -> new RowwiseNode(result, List.of(input), true, (values, row) -> initcap((String) values[0]));
            case CAPITALIZE -> new TextKernels.Mapped(input, TextCharacters::capitalized);
            case TITLE -> new TextKernels.Mapped(input, TextCharacters::titled);
            case SWAP_CASE -> new TextKernels.Mapped(input, TextCharacters::swapped);
            case CENTER -> {
                int width = ((Number) CallArguments.constant(call, 1)).intValue();
                String fill = (String) CallArguments.constant(call, 2);
                yield new TextKernels.Mapped(input, text -> TextCharacters.centered(text, width, fill));
            }
            case TRANSLATE ->
                new TextKernels.Mapped(
                        input, TextCharacters.translated((String) CallArguments.constant(call, 1), (String)
                                CallArguments.constant(call, 2)));
            case NORMALIZE -> {
                Normalizer.Form form = TextTypes.normalForm(call);
                yield new TextKernels.Mapped(input, text -> Normalizer.normalize(text, form));
            }
            case CODE_POINT ->
                new TextKernels.Counted(
                        input,
                        text -> text.isEmpty() ? -1 : text.codePointAt(0),
                        (text, length) -> length == 0 ? -1 : text[0]);
            case COUNT_MATCHES -> {
                String part = (String) CallArguments.constant(call, 1);
                yield new TextKernels.Counted(
                        input, text -> TextCharacters.count(text, part), AsciiFunctions.count(part));
            }
            case SPLIT_PART -> {
                String separator = (String) CallArguments.constant(call, 1);
                int index = ((Number) CallArguments.constant(call, 2)).intValue();
                yield new TextKernels.Mapped(
                        input,
                        text -> TextCharacters.part(text, separator, index),
                        AsciiFunctions.part(separator, index));
            }
            case SPLIT_WHITESPACE -> new TextKernels.Listed(input, TextCharacters::words);
            case REGEX_SPLIT -> {
                Matcher matcher = TextTypes.pattern(call).matcher("");
                yield new TextKernels.Listed(input, (text, out) -> TextCharacters.split(matcher, text, out));
            }
            case REGEX_EXTRACT_ALL -> {
                Matcher matcher = TextTypes.pattern(call).matcher("");
                int group = TextTypes.group(call);
                yield new TextKernels.Listed(
                        input, (text, out) -> TextCharacters.matches(matcher.reset(text), group, out));
            }
            case REGEX_COUNT -> {
                Pattern pattern = TextTypes.pattern(call);
                Matcher matcher = pattern.matcher("");
                yield new TextKernels.Counted(
                        input,
                        text -> TextCharacters.count(matcher.reset(text)),
                        AsciiFunctions.count(OnePassPattern.of(pattern)));
            }
            case REGEX_INDEX_OF -> {
                Pattern pattern = TextTypes.pattern(call);
                Matcher matcher = pattern.matcher("");
                yield new TextKernels.Counted(
                        input,
                        text -> TextCharacters.find(matcher.reset(text), text),
                        AsciiFunctions.indexOf(OnePassPattern.of(pattern)));
            }
            case PARSE_URL -> new UrlParts(input);
            case JSON_EXTRACT, JSON_TEXT -> {
                JsonPath path = TextTypes.jsonPath(call);
                boolean plain = function == TextFunction.JSON_TEXT;
                yield new RowwiseNode(
                        result,
                        List.of(input),
                        true,
                        (values, row) -> json(call, path, (String) values[0], plain, row));
            }
            case SPLIT -> {
                String separator = (String) CallArguments.constant(call, 1);
                yield new TextKernels.Listed(input, TextCharacters.split(separator), AsciiFunctions.split(separator));
            }
            case LPAD, RPAD -> {
                int length = ((Number) CallArguments.constant(call, 1)).intValue();
                String fill = (String) CallArguments.constant(call, 2);
                boolean left = function == TextFunction.LPAD;
                yield new TextKernels.Mapped(
                        input, text -> padded(text, length, fill, left), AsciiFunctions.pad(length, fill, left));
            }
        };
    }

    /// Trims blanks by default; row by row if the characters are not a constant.
    private static ExpressionNode trimmed(TextFunction function, List<ExpressionNode> arguments) {
        ExpressionNode input = arguments.getFirst();
        if (arguments.size() == 1) {
            return new TextFunctions.Trimmed(input, function, null);
        }
        if (arguments.get(1) instanceof ConstantNode constant && constant.value() instanceof String characters) {
            return new TextFunctions.Trimmed(input, function, characters);
        }
        return new RowwiseNode(DataType.UTF8, arguments, true, (values, row) -> {
            int[] text = ((String) values[0]).codePoints().toArray();
            String characters = (String) values[1];
            int from = 0;
            int to = text.length;
            while (function != TextFunction.RTRIM && from < to && characters.indexOf(text[from]) >= 0) {
                from++;
            }
            while (function != TextFunction.LTRIM && from < to && characters.indexOf(text[to - 1]) >= 0) {
                to--;
            }
            return new String(text, from, to - from);
        });
    }

    private static String initcap(String text) {
        StringBuilder words = new StringBuilder(text.length());
        boolean inWord = false;
        for (int c : text.codePoints().toArray()) {
            words.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
            inWord = Character.isLetterOrDigit(c);
        }
        return words.toString();
    }

    private static @Nullable String json(Call call, JsonPath path, String text, boolean plain, long row) {
        try {
            return path.extract(text, plain);
        } catch (IllegalArgumentException e) {
            throw MillraceException.data(
                    call + ": " + e.getMessage() + " in " + excerpt(text) + ", in row " + row + " of the block.");
        }
    }

    private static String excerpt(String text) {
        return Literal.of(text.length() > 80 ? text.substring(0, 80) + "..." : text)
                .toString();
    }

    private static String padded(String text, int length, String fill, boolean left) {
        int[] points = text.codePoints().toArray();
        if (points.length >= length) {
            return new String(points, 0, Math.max(0, length));
        }
        int[] filling = fill.codePoints().toArray();
        int missing = length - points.length;
        int[] padding = new int[missing];
        for (int i = 0; i < missing; i++) {
            padding[i] = filling[i % filling.length];
        }
        String more = new String(padding, 0, missing);
        return left ? more + text : text + more;
    }

    /// The bytes of the texts, without a copy.
    private static final class ToBinary extends ExpressionNode {
        private final ExpressionNode input;

        ToBinary(ExpressionNode input) {
            super(DataType.BINARY);
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            VariableWidthColumn texts = (VariableWidthColumn) input.values(rows).column();
            return new BinaryColumn(
                    texts.length(),
                    texts.offsetsBuffer(),
                    texts.offsetWidth(),
                    texts.dataBuffer(),
                    texts.validityBuffer(),
                    texts.offset(),
                    Column.UNKNOWN_NULLS);
        }
    }
}
