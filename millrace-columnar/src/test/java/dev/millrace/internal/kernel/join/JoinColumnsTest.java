package dev.millrace.internal.kernel.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JoinColumnsTest {
    private static final Schema LEFT =
            Schema.of(new Field("id", DataType.INT32), new Field("name", DataType.UTF8), new Field("a", DataType.BOOL));
    private static final Schema RIGHT =
            Schema.of(new Field("b", DataType.DATE), new Field("id", DataType.INT64), new Field("name", DataType.UTF8));

    private static Join join(Join.Kind kind) {
        return new Join(kind, List.of("id"), List.of("id"), null, "_right");
    }

    /// Every column comes from where its source says, in the type that is said.
    @ParameterizedTest
    @EnumSource(Join.Kind.class)
    void everyColumnComesOnceFromItsSide(Join.Kind kind) {
        JoinColumns columns = JoinColumns.of(join(kind), LEFT, RIGHT);
        Set<Join.Kind> ofLeft = EnumSet.of(Join.Kind.LEFT_SEMI, Join.Kind.LEFT_ANTI);
        Set<Join.Kind> ofRight = EnumSet.of(Join.Kind.RIGHT_SEMI, Join.Kind.RIGHT_ANTI);
        assertThat(columns.schema().names())
                .containsExactlyElementsOf(
                        ofLeft.contains(kind)
                                ? List.of("id", "name", "a")
                                : ofRight.contains(kind)
                                        ? List.of("b", "id", "name")
                                        : List.of("id", "name", "a", "b", "name_right"));
        for (int i = 0; i < columns.sources().size(); i++) {
            JoinColumns.Source source = columns.sources().get(i);
            String name = columns.schema().field(i).name();
            assertThat(source.left() >= 0 || source.right() >= 0).isTrue();
            if (source.left() >= 0 && source.right() >= 0) {
                assertThat(name).isEqualTo("id");
                continue;
            }
            Field from = source.left() >= 0 ? LEFT.field(source.left()) : RIGHT.field(source.right());
            assertThat(name).isIn(from.name(), from.name() + "_right");
            assertThat(columns.schema().field(i).type()).isEqualTo(from.type());
        }
    }

    @Test
    void aCommonKeyHasTheTypeOfTheSideWhoseRowsAllComeOut() {
        assertThat(JoinColumns.of(join(Join.Kind.LEFT), LEFT, RIGHT).schema().type("id"))
                .isEqualTo(DataType.INT32);
        assertThat(JoinColumns.of(join(Join.Kind.RIGHT), LEFT, RIGHT).schema().type("id"))
                .isEqualTo(DataType.INT64);
        assertThat(JoinColumns.of(join(Join.Kind.FULL), LEFT, RIGHT).schema().type("id"))
                .isEqualTo(DataType.INT64);
    }

    @Test
    void columnsThatNobodyWantsAreLeftOut() {
        JoinColumns columns = JoinColumns.of(join(Join.Kind.INNER), LEFT, RIGHT).only(List.of("name_right", "id"));
        assertThat(columns.schema().names()).containsExactly("id", "name_right");
        assertThat(columns.sources()).containsExactly(new JoinColumns.Source(0, 1), new JoinColumns.Source(-1, 2));
    }

    @Test
    void namesThatClashAreAnErrorThatSaysWhatToDo() {
        Join bare = Join.inner("id");
        assertThatThrownBy(() -> JoinColumns.of(bare, LEFT, RIGHT))
                .isInstanceOf(MillraceException.class)
                .hasMessage(
                        "join: both sides have a column 'name'. Give a suffix, e.g. .rightSuffix(\"_right\"), or drop"
                                + " or rename one of them.");
        Schema taken = Schema.of(
                new Field("id", DataType.INT64),
                new Field("name", DataType.UTF8),
                new Field("name_right", DataType.UTF8));
        assertThatThrownBy(() -> JoinColumns.of(bare.rightSuffix("_right"), taken, RIGHT))
                .hasMessageContaining("the column 'name_right' would come twice");
        assertThatThrownBy(() -> JoinColumns.of(Join.inner("nmae"), LEFT, RIGHT))
                .hasMessageContaining("nmae");
    }

    @Test
    void keysAreBroughtToOneTypeOnlyWhereTheyDoNotCompareAsTheyAre() {
        Schema left = Schema.of("k", DataType.decimal(7, 2));
        Schema right = Schema.of("k", DataType.decimal(12, 4));
        assertThat(JoinColumns.keyTypes(Join.inner("k"), left, right)).containsExactly(DataType.decimal(12, 4));
        assertThat(JoinColumns.keyTypes(Join.inner("id"), LEFT, RIGHT))
                .hasSize(1)
                .containsOnlyNulls();
        assertThat(JoinColumns.orderType(AsOf.earlier("id"), LEFT, RIGHT)).isEqualTo(DataType.INT64);
        assertThatThrownBy(() -> JoinColumns.orderType(AsOf.earlier("name"), LEFT, RIGHT))
                .hasMessageContaining("cannot be: both must be numbers, or both times");
    }
}
