package dev.millrace.expression;

import static dev.millrace.expression.NamedFunctions.add;
import static dev.millrace.expression.NamedFunctions.text;

import java.util.List;

/// Functions of lists and maps, with the results that they have in DuckDB; sets of elements are in order of occurrence.
final class NamedLists {
    private NamedLists() {}

    static void addAll() {
        add("list_sort", 1, a -> a.get(0).listSort());
        add("list_reverse_sort", 1, a -> a.get(0).listSortDescending());
        add("list_reverse", 1, a -> a.get(0).listReverse());
        add("list_distinct", 1, a -> a.get(0).listDistinct().listFilter(Expression::isNotNull));
        add("flatten", 1, a -> a.get(0).flatten());
        add("list_intersect", 2, a -> a.get(0).listIntersect(a.get(1)));
        add("list_has_any", 2, a -> a.get(0).hasAny(a.get(1)));
        add("list_has_all", 2, a -> a.get(0).hasAll(a.get(1)));
        for (String name : List.of("list_contains", "list_has", "array_contains")) {
            add(name, 2, a -> a.get(0).contains(a.get(1)));
        }
        add("array_to_string", 2, a -> a.get(0).join(text("array_to_string", a, 1)));
        add("list_sum", 1, a -> a.get(0).listSum());
        add("list_min", 1, a -> a.get(0).listMin());
        add("list_max", 1, a -> a.get(0).listMax());
        add("list_avg", 1, a -> a.get(0).listMean());
        add("map_keys", 1, a -> a.get(0).mapKeys());
        add("map_values", 1, a -> a.get(0).mapValues());
        add("map_entries", 1, a -> a.get(0).mapEntries());
        for (String name : List.of("list_inner_product", "list_dot_product")) {
            add(name, 2, a -> a.get(0).dotProduct(a.get(1)));
        }
        add("list_cosine_similarity", 2, a -> a.get(0).cosineSimilarity(a.get(1)));
        add("list_cosine_distance", 2, a -> a.get(0).cosineDistance(a.get(1)));
        add("list_distance", 2, a -> a.get(0).euclideanDistance(a.get(1)));
    }
}
