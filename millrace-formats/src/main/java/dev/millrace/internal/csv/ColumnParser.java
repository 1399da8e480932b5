package dev.millrace.internal.csv;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// Parses texts into a column of one type. Stateless: reused for every window.
abstract class ColumnParser {
    final DataType type;
    final LiteralTexts nulls;

    ColumnParser(DataType type, LiteralTexts nulls) {
        this.type = type;
        this.nulls = nulls;
    }

    abstract Column parse(ColumnFields fields, ColumnOutput output);

    /// True if the value is known to be null before it is parsed.
    final boolean isNullFirst(ColumnFields fields, int row) {
        return nulls.first
                ? nulls.isNull(fields, row)
                : fields.from[row] == fields.to[row] && nulls.emptyIsOne && !fields.isKept(row);
    }

    /// Handles a value that does not fit the type: null, or a misfit.
    final void settle(ColumnFields fields, int row, ColumnOutput output) {
        if (nulls.isNull(fields, row)) {
            output.setNull(row);
        } else {
            output.setMisfit(row);
        }
    }
}
