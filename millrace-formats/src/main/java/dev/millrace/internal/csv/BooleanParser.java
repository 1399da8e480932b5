package dev.millrace.internal.csv;

import dev.millrace.column.Bits;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Parses booleans from the texts that mean true and false.
final class BooleanParser extends ColumnParser {
    private final LiteralTexts trueTexts;
    private final LiteralTexts falseTexts;

    BooleanParser(LiteralTexts nulls, LiteralTexts trueTexts, LiteralTexts falseTexts) {
        super(DataType.BOOL, nulls);
        this.trueTexts = trueTexts;
        this.falseTexts = falseTexts;
    }

    @Override
    Column parse(ColumnFields fields, ColumnOutput output) {
        Buffer data = output.buffer((fields.rows + 7) / 8);
        MemorySegment target = data.segment().fill((byte) 0);
        for (int row = 0; row < fields.rows; row++) {
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else if (trueTexts.matches(fields, row)) {
                Bits.set(target, row, true);
            } else if (!falseTexts.matches(fields, row)) {
                settle(fields, row, output);
            }
        }
        return output.keep(new BooleanColumn(fields.rows, data, output.validity(), 0, output.nullCount()));
    }
}
