package dev.millrace.expression;

/// Tests of the characters of a text, with the meaning of Python's methods of strings. An empty text has no character
/// and fails every test but [#isAscii] and [#isPrintable].
sealed interface CharacterMethods permits Expression {

    /// Whether all characters are letters.
    default Expression isAlpha() {
        return Call.of(CharacterFunction.IS_ALPHA, (Expression) this);
    }

    /// Whether each character is a letter or passes [#isNumeric].
    default Expression isAlphanumeric() {
        return Call.of(CharacterFunction.IS_ALPHANUMERIC, (Expression) this);
    }

    /// Whether all characters are decimal digits of any script (Unicode's category Nd).
    default Expression isDecimal() {
        return Call.of(CharacterFunction.IS_DECIMAL, (Expression) this);
    }

    /// Whether all characters are digits: decimal ones, superscript and subscript ones, and digits in circles or with a
    /// full stop.
    default Expression isDigit() {
        return Call.of(CharacterFunction.IS_DIGIT, (Expression) this);
    }

    /// Whether all characters are numbers: digits, fractions, Roman numerals (Unicode's categories Nd, Nl and No).
    /// Ideographs are letters, also those that denote numbers, unlike in Python.
    default Expression isNumeric() {
        return Call.of(CharacterFunction.IS_NUMERIC, (Expression) this);
    }

    /// Whether all characters are white space, including line breaks and spaces that do not break.
    default Expression isSpace() {
        return Call.of(CharacterFunction.IS_SPACE, (Expression) this);
    }

    /// Whether all characters are ASCII.
    default Expression isAscii() {
        return Call.of(CharacterFunction.IS_ASCII, (Expression) this);
    }

    /// Whether there is no control, format, unassigned or private character, and no separator but the space.
    default Expression isPrintable() {
        return Call.of(CharacterFunction.IS_PRINTABLE, (Expression) this);
    }

    /// Whether the letters that have a case are all in lower case, and there is one.
    default Expression isLower() {
        return Call.of(CharacterFunction.IS_LOWER, (Expression) this);
    }

    /// Whether the letters that have a case are all in upper case, and there is one.
    default Expression isUpper() {
        return Call.of(CharacterFunction.IS_UPPER, (Expression) this);
    }

    /// Whether upper case follows only characters without a case, and lower case only letters with one; there is at
    /// least one letter with a case.
    default Expression isTitle() {
        return Call.of(CharacterFunction.IS_TITLE, (Expression) this);
    }
}
