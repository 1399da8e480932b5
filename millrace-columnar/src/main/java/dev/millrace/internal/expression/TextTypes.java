package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.TextFunction;
import dev.millrace.internal.json.JsonPath;
import dev.millrace.type.DataType;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Result types of [TextFunction]s.
final class TextTypes {
    private TextTypes() {}

    static DataType result(TextFunction function, Call call, List<DataType> types) {
        if (function == TextFunction.LENGTH || function == TextFunction.BYTE_LENGTH) {
            boolean takes = CallArguments.isTextOrNull(types.getFirst()) || types.getFirst() instanceof DataType.Binary;
            CallArguments.require(takes, call, 0, types.getFirst(), "a string or binary");
            return DataType.INT32;
        }
        CallArguments.requireText(call, 0, types.getFirst());
        return switch (function) {
            case LOWER, UPPER, REVERSE, INITCAP, CAPITALIZE, TITLE, SWAP_CASE -> DataType.UTF8;
            case SUBSTRING -> {
                for (int i = 1; i < types.size(); i++) {
                    CallArguments.requireInteger(call, i, types.get(i));
                }
                yield DataType.UTF8;
            }
            case STARTS_WITH, ENDS_WITH -> {
                CallArguments.requireText(call, 1, types.get(1));
                yield DataType.BOOL;
            }
            case LENGTH, BYTE_LENGTH, CODE_POINT -> DataType.INT32;
            case INDEX_OF -> {
                CallArguments.requireText(call, 1, types.get(1));
                yield DataType.INT32;
            }
            case REPEAT -> {
                CallArguments.requireInteger(call, 1, types.get(1));
                yield DataType.UTF8;
            }
            case JSON_EXTRACT, JSON_TEXT -> {
                jsonPath(call);
                yield DataType.UTF8;
            }
            case REPLACE, CONCAT, TRIM, LTRIM, RTRIM -> {
                for (int i = 1; i < types.size(); i++) {
                    CallArguments.requireText(call, i, types.get(i));
                }
                yield DataType.UTF8;
            }
            case LIKE -> {
                like(call);
                yield DataType.BOOL;
            }
            case REGEX_MATCHES -> {
                pattern(call);
                yield DataType.BOOL;
            }
            case REGEX_EXTRACT -> {
                group(call);
                yield DataType.UTF8;
            }
            case REGEX_EXTRACT_ALL -> {
                group(call);
                yield DataType.list(DataType.UTF8);
            }
            case REGEX_COUNT, REGEX_INDEX_OF -> {
                pattern(call);
                yield DataType.INT32;
            }
            case REGEX_SPLIT -> {
                pattern(call);
                yield DataType.list(DataType.UTF8);
            }
            case SPLIT_WHITESPACE -> DataType.list(DataType.UTF8);
            case COUNT_MATCHES -> {
                CallArguments.constant(call, 1);
                yield DataType.INT32;
            }
            case SPLIT_PART, TRANSLATE -> {
                CallArguments.constant(call, 1);
                CallArguments.constant(call, 2);
                yield DataType.UTF8;
            }
            case CENTER -> {
                CallArguments.constant(call, 1);
                String fill = (String) CallArguments.constant(call, 2);
                if (fill.codePointCount(0, fill.length()) != 1) {
                    throw MillraceException.user(call + ": one character fills, not '" + fill + "'.");
                }
                yield DataType.UTF8;
            }
            case NORMALIZE -> {
                normalForm(call);
                yield DataType.UTF8;
            }
            case PARSE_URL -> UrlParts.TYPE;
            case REGEX_REPLACE, REGEX_REPLACE_FIRST -> {
                pattern(call);
                CallArguments.constant(call, 2);
                yield DataType.UTF8;
            }
            case SPLIT -> {
                CallArguments.constant(call, 1);
                yield DataType.list(DataType.UTF8);
            }
            case LPAD, RPAD -> {
                CallArguments.constant(call, 1);
                if (CallArguments.constant(call, 2).equals("")) {
                    throw MillraceException.user(
                            call + ": there is nothing to fill with: give at least one character.");
                }
                yield DataType.UTF8;
            }
            case TO_BINARY -> DataType.BINARY;
        };
    }

    /// The pattern in argument 1, with the escape character in argument 2.
    static LikePattern like(Call call) {
        String text = String.valueOf(CallArguments.constant(call, 1));
        int escape = -1;
        if (call.arguments().size() > 2) {
            String character = String.valueOf(CallArguments.constant(call, 2));
            if (character.codePointCount(0, character.length()) != 1) {
                throw MillraceException.user(call + ": one character escapes, not '" + character + "'.");
            }
            escape = character.codePointAt(0);
        }
        try {
            return new LikePattern(text, escape);
        } catch (IllegalArgumentException e) {
            throw MillraceException.user(call + ": '" + text + "' is no pattern: " + e.getMessage() + ".");
        }
    }

    /// The path in argument 1.
    static JsonPath jsonPath(Call call) {
        String text = String.valueOf(CallArguments.constant(call, 1));
        try {
            return JsonPath.of(text);
        } catch (IllegalArgumentException e) {
            throw MillraceException.user(call + ": '" + text + "' is no path: " + e.getMessage() + ".");
        }
    }

    /// Unicode's normal form in argument 1.
    static Normalizer.Form normalForm(Call call) {
        String name = String.valueOf(CallArguments.constant(call, 1));
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "NFC" -> Normalizer.Form.NFC;
            case "NFD" -> Normalizer.Form.NFD;
            case "NFKC" -> Normalizer.Form.NFKC;
            case "NFKD" -> Normalizer.Form.NFKD;
            default ->
                throw MillraceException.user(
                        call + ": '" + name + "' is no normal form of Unicode. Use NFC, NFD, NFKC or NFKD.");
        };
    }

    /// The group in argument 2 of the pattern in argument 1.
    static int group(Call call) {
        int groups = pattern(call).matcher("").groupCount();
        int group = ((Number) CallArguments.constant(call, 2)).intValue();
        if (group < 0 || group > groups) {
            throw MillraceException.user(
                    call + ": there is no group " + group + "; the pattern has " + groups + " groups.");
        }
        return group;
    }

    /// The regular expression in argument 1.
    static Pattern pattern(Call call) {
        String text = String.valueOf(CallArguments.constant(call, 1));
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw MillraceException.user(call + ": '" + text + "' is no regular expression: " + e.getDescription()
                    + " near position " + e.getIndex() + ".");
        }
    }
}
