package dev.millrace.expression;

import dev.millrace.type.DataType;
import java.util.List;

/// JSON texts from values, and values of a type from JSON texts.
sealed interface JsonMethods permits Expression {

    /// The value as a JSON text, as in JSON files: times and binaries are strings, NaN and the infinities are null.
    /// Null gives null.
    default Expression toJson() {
        return new ColumnCall(new ToJson(), List.of((Expression) this));
    }

    /// Parses a JSON text as a value of a type, such as a struct: fields that the type does not have are skipped,
    /// fields that the text does not have are null. JSON's null gives null. A text that is not JSON or not a value of
    /// the type is an error.
    default Expression fromJson(DataType type) {
        return new ColumnCall(new FromJson(type, true), List.of((Expression) this));
    }

    /// Like [#fromJson], but null instead of an error.
    default Expression tryFromJson(DataType type) {
        return new ColumnCall(new FromJson(type, false), List.of((Expression) this));
    }
}
