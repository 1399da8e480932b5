package dev.millrace.internal.parquet.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.parquet.format.LogicalType;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The forms of lists and maps that writers of all times left behind; the names are those of the format's own examples.
class FileSchemaTest {
    private static final LogicalType LIST = new LogicalType.ListOf();
    private static final LogicalType MAP = new LogicalType.MapOf();

    private static SchemaElement group(String name, int repetition, int children, LogicalType logical) {
        return new SchemaElement(null, 0, repetition, name, children, logical);
    }

    private static SchemaElement leaf(String name, int repetition, PhysicalType type) {
        LogicalType logical = type == PhysicalType.BYTE_ARRAY ? new LogicalType.Text() : null;
        return new SchemaElement(type, 0, repetition, name, 0, logical);
    }

    private static String type(SchemaElement... elements) {
        List<SchemaElement> all = new ArrayList<>(List.of(group("schema", SchemaElement.REQUIRED, 1, null)));
        all.addAll(List.of(elements));
        return FileSchema.of(all).schema().toString();
    }

    @Test
    void aRepeatedValueBelowAListIsItsElement() {
        assertThat(type(group("l", 1, 1, LIST), leaf("element", 2, PhysicalType.INT32)))
                .isEqualTo("l: list<int32>");
    }

    @Test
    void aRepeatedGroupOfSeveralFieldsIsTheElement() {
        assertThat(type(
                        group("l", 1, 1, LIST),
                        group("element", 2, 2, null),
                        leaf("s", 0, PhysicalType.BYTE_ARRAY),
                        leaf("n", 0, PhysicalType.INT32)))
                .isEqualTo("l: list<struct<s: utf8, n: int32>>");
    }

    @Test
    void aRepeatedGroupNamedArrayOrTupleIsTheElement() {
        for (String name : List.of("array", "l_tuple")) {
            assertThat(type(group("l", 1, 1, LIST), group(name, 2, 1, null), leaf("s", 0, PhysicalType.BYTE_ARRAY)))
                    .isEqualTo("l: list<struct<s: utf8>>");
        }
    }

    @Test
    void anyOtherRepeatedGroupOfOneFieldCarriesTheElement() {
        for (String name : List.of("list", "bag", "element")) {
            assertThat(type(group("l", 1, 1, LIST), group(name, 2, 1, null), leaf("s", 1, PhysicalType.INT64)))
                    .isEqualTo("l: list<int64>");
        }
    }

    @Test
    void aRepeatedFieldWithoutAListAroundItIsAList() {
        assertThat(type(leaf("n", 2, PhysicalType.INT32))).isEqualTo("n: list<int32>");
        SchemaNode.ListOf list = (SchemaNode.ListOf) FileSchema.of(
                        List.of(group("schema", SchemaElement.REQUIRED, 1, null), leaf("n", 2, PhysicalType.INT32)))
                .columns()
                .getFirst();
        assertThat(list.definition()).isZero();
        assertThat(list.elementDefinition()).isEqualTo(1);
        assertThat(list.element().slotRepetition()).isEqualTo(1);
    }

    @Test
    void listsOfListsOfTwoLevelsEach() {
        assertThat(type(group("l", 1, 1, LIST), group("array", 2, 1, LIST), leaf("array", 2, PhysicalType.INT32)))
                .isEqualTo("l: list<list<int32>>");
    }

    @Test
    void mapsAreKnownByTheirOldMarkToo() {
        for (String name : List.of("key_value", "map")) {
            assertThat(type(
                            group("m", 1, 1, MAP),
                            group(name, 2, 2, name.equals("map") ? MAP : null),
                            leaf("key", 0, PhysicalType.BYTE_ARRAY),
                            leaf("value", 1, PhysicalType.INT32)))
                    .isEqualTo("m: map<utf8, int32>");
        }
    }
}
