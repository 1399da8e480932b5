package dev.millrace.expression;

import java.util.Locale;

/// A built-in function, one enum per family. [#text] is its name in `explain()`: the constant's name in lower case.
public sealed interface Function
        permits MathFunction,
                BitFunction,
                HashFunction,
                TextFunction,
                CharacterFunction,
                SimilarityFunction,
                TimeFunction,
                NestedFunction {

    /// The enum constant's name.
    String name();

    /// The text in plans.
    default String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
