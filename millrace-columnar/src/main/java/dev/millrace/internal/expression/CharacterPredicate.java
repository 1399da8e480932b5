package dev.millrace.internal.expression;

import dev.millrace.column.VariableWidthColumn;
import dev.millrace.expression.CharacterFunction;
import java.lang.foreign.MemorySegment;

/// Tests the characters of texts, decoded from their UTF-8 bytes without an object per row.
final class CharacterPredicate extends PredicateNode {
    private final CharacterFunction function;
    private final ExpressionNode input;

    CharacterPredicate(CharacterFunction function, ExpressionNode input) {
        this.function = function;
        this.input = input;
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows)) {
            VariableWidthColumn texts = (VariableWidthColumn) held.column();
            MemorySegment data = texts.dataSegment();
            long[] bits = new long[BitWords.words(rows.count())];
            for (long row = 0; row < rows.count(); row++) {
                if (holds(data, texts.start(row), texts.end(row))) {
                    BitWords.set(bits, row);
                }
            }
            return TruthBits.of(bits, BitWords.valid(texts), rows.count());
        }
    }

    private boolean holds(MemorySegment data, long start, long end) {
        return switch (function) {
            case IS_ASCII -> Utf8Text.isAscii(data, start, end);
            case IS_LOWER -> isCased(data, start, end, true);
            case IS_UPPER -> isCased(data, start, end, false);
            case IS_TITLE -> isTitle(data, start, end);
            case IS_ALPHA, IS_ALPHANUMERIC, IS_DECIMAL, IS_DIGIT, IS_NUMERIC, IS_SPACE, IS_PRINTABLE -> {
                boolean all = start < end || function == CharacterFunction.IS_PRINTABLE;
                for (long at = start; at < end && all; ) {
                    int point = Utf8Text.codePoint(data, at, end);
                    all = accepts(point);
                    at += Utf8Text.width(point);
                }
                yield all;
            }
        };
    }

    private boolean accepts(int point) {
        return switch (function) {
            case IS_ALPHA -> Character.isLetter(point);
            case IS_ALPHANUMERIC -> Character.isLetter(point) || isNumeric(point);
            case IS_DECIMAL -> Character.isDigit(point);
            case IS_DIGIT -> Character.isDigit(point) || isOtherDigit(point);
            case IS_NUMERIC -> isNumeric(point);
            case IS_SPACE -> Character.isWhitespace(point) || Character.isSpaceChar(point) || point == 0x85;
            case IS_PRINTABLE -> isPrintable(point);
            case IS_ASCII, IS_LOWER, IS_UPPER, IS_TITLE ->
                throw new IllegalArgumentException(function + " does not test single characters");
        };
    }

    private static boolean isNumeric(int point) {
        return switch (Character.getType(point)) {
            case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }

    /// Unicode's numeric type "digit": digits that are no part of decimal numbers. The list is closed.
    private static boolean isOtherDigit(int point) {
        return switch (point) {
            case 0xB2, 0xB3, 0xB9, 0x19DA, 0x2070, 0x24EA, 0x24FF -> true;
            default ->
                isIn(point, 0x1369, 0x1371)
                        || isIn(point, 0x2074, 0x2079)
                        || isIn(point, 0x2080, 0x2089)
                        || isIn(point, 0x2460, 0x2468)
                        || isIn(point, 0x2474, 0x247C)
                        || isIn(point, 0x2488, 0x2490)
                        || isIn(point, 0x24F5, 0x24FD)
                        || isIn(point, 0x2776, 0x277E)
                        || isIn(point, 0x2780, 0x2788)
                        || isIn(point, 0x278A, 0x2792)
                        || isIn(point, 0x10A40, 0x10A43)
                        || isIn(point, 0x10E60, 0x10E68)
                        || isIn(point, 0x11052, 0x1105A)
                        || isIn(point, 0x1F100, 0x1F10A);
        };
    }

    private static boolean isIn(int point, int first, int last) {
        return point >= first && point <= last;
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> point == ' ';
            default -> true;
        };
    }

    private static boolean isCased(MemorySegment data, long start, long end, boolean lower) {
        boolean any = false;
        for (long at = start; at < end; ) {
            int point = Utf8Text.codePoint(data, at, end);
            boolean isLower = Character.isLowerCase(point);
            boolean isUpper = Character.isUpperCase(point);
            if (Character.isTitleCase(point) || (lower ? isUpper : isLower)) {
                return false;
            }
            any |= isLower || isUpper;
            at += Utf8Text.width(point);
        }
        return any;
    }

    private static boolean isTitle(MemorySegment data, long start, long end) {
        boolean any = false;
        boolean afterCased = false;
        for (long at = start; at < end; ) {
            int point = Utf8Text.codePoint(data, at, end);
            boolean isLower = Character.isLowerCase(point);
            boolean isUpper = Character.isUpperCase(point) || Character.isTitleCase(point);
            if (isUpper ? afterCased : isLower && !afterCased) {
                return false;
            }
            afterCased = isUpper || isLower;
            any |= afterCased;
            at += Utf8Text.width(point);
        }
        return any;
    }
}
