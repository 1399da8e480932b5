package dev.millrace.internal.parquet.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldIdsTest {
    private static final List<SchemaElement> ELEMENTS = new ParquetWriteSchema(Schema.of(
                    new Field("a", DataType.INT32),
                    new Field("tags", DataType.list(DataType.struct(new Field("x", DataType.UTF8)))),
                    new Field("m", DataType.map(DataType.UTF8, DataType.INT64))))
            .elements();

    private static final Map<List<String>, Integer> IDS = Map.of(
            List.of("a"), 1,
            List.of("tags"), 2,
            List.of("tags", "element"), 3,
            List.of("tags", "element", "x"), 4,
            List.of("m", "key"), 6,
            List.of("m", "value"), 7);

    @Test
    void idsAreGivenByPathsThatLeaveOutTheGroupsOfListsAndMaps() {
        List<SchemaElement> identified = FieldIds.assign(ELEMENTS, IDS);
        assertThat(identified).extracting(SchemaElement::fieldId).containsExactly(-1, 1, 2, -1, 3, 4, -1, -1, 6, 7);
        assertThat(FieldIds.areIn(ELEMENTS)).isFalse();
        assertThat(FieldIds.areIn(identified)).isTrue();
    }

    @Test
    void columnsAndFieldsAreNamedAfterTheirIds() {
        List<SchemaElement> identified = FieldIds.assign(ELEMENTS, IDS);
        FileSchema renamed =
                FileSchema.of(FieldIds.rename(identified, Map.of(1, "b", 2, "labels", 3, "element", 4, "y")));
        assertThat(renamed.schema().type("b")).isEqualTo(DataType.INT32);
        assertThat(renamed.schema().type("labels"))
                .isEqualTo(DataType.list(DataType.struct(new Field("y", DataType.UTF8))));
        // What has no id, or one that is not asked for, cannot be found by its old name.
        assertThat(renamed.schema().contains("m")).isFalse();
        assertThat(renamed.schema().contains("a")).isFalse();
    }
}
