package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of the bits of integers, in two's complement. Two operands are converted to their common type, which is
/// that of the result.
sealed interface BitMethods permits Expression {

    /// The bits that both have.
    default Expression bitAnd(@Nullable Object other) {
        return Call.of(BitFunction.BIT_AND, (Expression) this, other);
    }

    /// The bits that either has.
    default Expression bitOr(@Nullable Object other) {
        return Call.of(BitFunction.BIT_OR, (Expression) this, other);
    }

    /// The bits that exactly one of them has.
    default Expression bitXor(@Nullable Object other) {
        return Call.of(BitFunction.BIT_XOR, (Expression) this, other);
    }

    /// All bits inverted.
    default Expression bitNot() {
        return Call.of(BitFunction.BIT_NOT, (Expression) this);
    }

    /// The number of bits that are set, as int32.
    default Expression bitCount() {
        return Call.of(BitFunction.BIT_COUNT, (Expression) this);
    }

    /// Shifted to the left, in the type of this; bits that leave it are lost. A negative number of bits is an error.
    default Expression shiftLeft(@Nullable Object bits) {
        return Call.of(BitFunction.SHIFT_LEFT, (Expression) this, bits);
    }

    /// Shifted to the right, in the type of this; the sign of signed integers stays. A negative number of bits is an
    /// error.
    default Expression shiftRight(@Nullable Object bits) {
        return Call.of(BitFunction.SHIFT_RIGHT, (Expression) this, bits);
    }
}
