package dev.millrace.internal.parquet.schema;

import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.SchemaElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Field ids of the nodes of a flattened schema. A node's path has the names from the root down, without the groups
/// that only contain a list's or a map's entries: `["tags", "element"]`, `["attributes", "key"]`.
public final class FieldIds {
    private static final int DEEPEST = 60;

    private final List<SchemaElement> elements;
    private final Map<List<String>, Integer> ids;
    private final List<SchemaElement> made = new ArrayList<>();

    private FieldIds(List<SchemaElement> elements, Map<List<String>, Integer> ids) {
        this.elements = elements;
        this.ids = ids;
    }

    public static boolean areIn(List<SchemaElement> elements) {
        return elements.stream().anyMatch(element -> element.fieldId() != SchemaElement.NO_ID);
    }

    /// Assigns ids to the nodes at these paths, and removes those of the others.
    public static List<SchemaElement> assign(List<SchemaElement> elements, Map<List<String>, Integer> ids) {
        FieldIds walk = new FieldIds(elements, ids);
        walk.made.add(elements.getFirst());
        walk.children(elements.getFirst(), List.of(), 0);
        return walk.made;
    }

    private void children(SchemaElement parent, List<String> path, int depth) {
        for (int i = 0; i < parent.children(); i++) {
            if (made.size() == elements.size() || depth > DEEPEST) {
                throw new MalformedParquet("its schema is damaged");
            }
            SchemaElement element = elements.get(made.size());
            boolean carries = element.repetition() == SchemaElement.REPEATED && element.children() > 0;
            List<String> below = path;
            if (!carries) {
                below = new ArrayList<>(path);
                below.add(element.name());
            }
            made.add(carries ? element : element.identified(ids.getOrDefault(below, SchemaElement.NO_ID)));
            children(element, below, depth + 1);
        }
    }

    /// Renames columns and fields by their ids. Nodes whose id has no name here get one that matches nothing.
    public static List<SchemaElement> rename(List<SchemaElement> elements, Map<Integer, String> names) {
        List<SchemaElement> renamed = new ArrayList<>();
        renamed.add(elements.getFirst());
        for (int i = 1; i < elements.size(); i++) {
            SchemaElement element = elements.get(i);
            String name = names.get(element.fieldId());
            boolean carries = element.repetition() == SchemaElement.REPEATED;
            renamed.add(carries ? element : element.named(name == null ? "\0" + i + element.name() : name));
        }
        return renamed;
    }
}
