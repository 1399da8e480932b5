package dev.millrace.internal.models.text;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.batch.Batch;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.TensorBuilder;
import dev.millrace.function.BatchFunction;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Adds `input_ids` and `attention_mask`. One actor's.
public final class TokenizeFunction implements BatchFunction {
    private static final long serialVersionUID = 1L;

    private final transient WordPieceRules rules;
    private final transient WordPieceEncoder encoder;
    private final String column;
    private final boolean padded;

    public TokenizeFunction(WordPieceRules rules, String column, boolean padded) {
        this.rules = rules;
        this.encoder = new WordPieceEncoder(rules);
        this.column = column;
        this.padded = padded;
    }

    @Override
    public Batch apply(Batch batch) {
        TextColumn texts = new TextColumn(batch, column, encoder);
        DataType type = padded ? DataType.tensor(DataType.INT64, rules.maxLength()) : DataType.list(DataType.INT64);
        ColumnBuilder ids = batch.newColumn(type);
        ColumnBuilder mask = batch.newColumn(type);
        for (long row = 0; row < batch.rows(); row++) {
            if (texts.isNull(row)) {
                ids.appendNull();
                mask.appendNull();
                continue;
            }
            int count = texts.encode(row);
            if (padded) {
                fill((TensorBuilder) ids, (TensorBuilder) mask, count);
            } else {
                list((ListBuilder) ids, (ListBuilder) mask, count);
            }
        }
        return batch.with("input_ids", ids).with("attention_mask", mask);
    }

    private void fill(TensorBuilder ids, TensorBuilder mask, int count) {
        MemorySegment numbers = ids.appendUninitialised();
        MemorySegment truths = mask.appendUninitialised();
        for (int i = 0; i < rules.maxLength(); i++) {
            numbers.setAtIndex(JAVA_LONG, i, i < count ? encoder.ids()[i] : rules.padding());
            truths.setAtIndex(JAVA_LONG, i, i < count ? 1 : 0);
        }
    }

    private void list(ListBuilder ids, ListBuilder mask, int count) {
        for (int i = 0; i < count; i++) {
            ((LongBuilder) ids.elements()).append(encoder.ids()[i]);
            ((LongBuilder) mask.elements()).append(1);
        }
        ids.endValue();
        mask.endValue();
    }
}
