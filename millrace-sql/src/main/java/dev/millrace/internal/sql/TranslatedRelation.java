package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/// The translation of a node: a dataset whose columns have, in order, the names of the node's row type.
record TranslatedRelation(Dataset dataset, List<String> columns) {
    TranslatedRelation {
        columns = List.copyOf(columns);
    }

    Expression column(int position) {
        return col(columns.get(position));
    }

    TranslatedRelation with(Dataset next) {
        return new TranslatedRelation(next, columns);
    }

    /// The same columns under other names.
    TranslatedRelation renamed(List<String> names) {
        if (names.equals(columns)) {
            return this;
        }
        List<Expression> all = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            all.add(column(i).as(names.get(i)));
        }
        return new TranslatedRelation(dataset.select(all.toArray(Expression[]::new)), names);
    }

    /// Without the columns that were added.
    TranslatedRelation only(Dataset wider) {
        return with(wider.select(columns.toArray(String[]::new)));
    }

    /// A name that no column has.
    String free(String name) {
        return free(name, columns);
    }

    static String free(String name, List<String> taken) {
        String free = name;
        for (int i = 2; taken.contains(free); i++) {
            free = name + "_" + i;
        }
        return free;
    }
}
