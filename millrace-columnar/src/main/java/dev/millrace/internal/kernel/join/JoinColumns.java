package dev.millrace.internal.kernel.join;

import dev.millrace.error.MillraceException;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The output columns of a join: those of the left, then those of the right. A key with one name on both sides is
/// output once, at its position on the left. Other common names get the suffixes.
///
/// @param schema of the output
/// @param sources where each of its columns comes from
public record JoinColumns(Schema schema, List<Source> sources) {
    private static final int NONE = -1;

    /// Positions in the sides, -1 if it is not a column of that side. A key of both sides has both: in a row without
    /// one side, it is the other's.
    public record Source(int left, int right) {}

    /// @throws MillraceException culprit USER: a missing key, names that clash
    public static JoinColumns of(Join join, Schema left, Schema right) {
        for (int i = 0; i < join.leftKeys().size(); i++) {
            left.require(join.leftKeys().get(i), "join (the left)");
            right.require(join.rightKeys().get(i), "join (the right)");
        }
        List<Field> fields = new ArrayList<>();
        List<Source> sources = new ArrayList<>();
        Set<String> shared = sharedKeys(join);
        boolean clashes = !join.kind().isLeftOnly() && !join.kind().isRightOnly();
        for (int i = 0; i < left.size() && !join.kind().isRightOnly(); i++) {
            Field field = left.field(i);
            int other = right.indexOf(field.name());
            if (clashes && shared.contains(field.name())) {
                fields.add(new Field(
                        field.name(),
                        keyType(join.kind(), field.type(), right.field(other).type())));
                sources.add(new Source(i, other));
            } else {
                String suffix = clashes && other >= 0 ? suffix(join, join.leftSuffix(), field.name()) : "";
                fields.add(new Field(field.name() + suffix, field.type()));
                sources.add(new Source(i, NONE));
            }
        }
        for (int i = 0; i < right.size() && !join.kind().isLeftOnly(); i++) {
            Field field = right.field(i);
            if (!clashes || !shared.contains(field.name())) {
                boolean twice = clashes && left.contains(field.name());
                String suffix = twice ? suffix(join, join.rightSuffix(), field.name()) : "";
                fields.add(new Field(field.name() + suffix, field.type()));
                sources.add(new Source(NONE, i));
            }
        }
        requireUnique(fields);
        return new JoinColumns(Schema.of(fields), sources);
    }

    /// Only these columns.
    ///
    /// @param wanted null for all
    public JoinColumns only(@Nullable List<String> wanted) {
        if (wanted == null) {
            return this;
        }
        List<Field> fields = new ArrayList<>();
        List<Source> kept = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            if (wanted.contains(schema.field(i).name())) {
                fields.add(schema.field(i));
                kept.add(sources.get(i));
            }
        }
        return new JoinColumns(Schema.of(fields), kept);
    }

    /// The types to which keys are cast, null for those that are compared as stored; see [KeyForm#common].
    public static List<DataType> keyTypes(Join join, Schema left, Schema right) {
        List<DataType> types = new ArrayList<>();
        for (int i = 0; i < join.leftKeys().size(); i++) {
            String leftKey = join.leftKeys().get(i);
            String rightKey = join.rightKeys().get(i);
            types.add(KeyForm.common(leftKey, left.type(leftKey), rightKey, right.type(rightKey)));
        }
        return types;
    }

    /// The type in which the values of an as-of join are compared.
    public static DataType orderType(AsOf asOf, Schema left, Schema right) {
        int ofLeft = left.require(asOf.left(), "join (the left)");
        int ofRight = right.require(asOf.right(), "join (the right)");
        return OrderedValues.common(
                asOf, left.field(ofLeft).type(), right.field(ofRight).type());
    }

    /// @throws MillraceException culprit USER, for every error of [#of] and [#keyTypes]
    public static void check(Join join, Schema left, Schema right) {
        keyTypes(join, left, right);
        if (join.asOf() != null) {
            orderType(join.asOf(), left, right);
        }
        of(join, left, right);
    }

    private static Set<String> sharedKeys(Join join) {
        Set<String> shared = new HashSet<>();
        for (int i = 0; i < join.leftKeys().size(); i++) {
            if (join.leftKeys().get(i).equals(join.rightKeys().get(i))) {
                shared.add(join.leftKeys().get(i));
            }
        }
        return shared;
    }

    private static DataType keyType(Join.Kind kind, DataType left, DataType right) {
        return switch (kind) {
            case RIGHT -> right;
            case FULL -> Types.unify(left, right);
            case INNER, LEFT, CROSS, LEFT_SEMI, LEFT_ANTI, RIGHT_SEMI, RIGHT_ANTI -> left;
        };
    }

    private static String suffix(Join join, @Nullable String suffix, String name) {
        if (join.leftSuffix() == null && join.rightSuffix() == null) {
            throw MillraceException.user("join: both sides have a column '" + name
                    + "'. Give a suffix, e.g. .rightSuffix(\"_right\"), or drop or rename one of them.");
        }
        return suffix == null ? "" : suffix;
    }

    private static void requireUnique(List<Field> fields) {
        Set<String> seen = new HashSet<>();
        for (Field field : fields) {
            if (!seen.add(field.name())) {
                throw MillraceException.user("join: the column '" + field.name() + "' would come twice, of "
                        + fields.stream().map(Field::name).toList() + ". Give other suffixes.");
            }
        }
    }
}
