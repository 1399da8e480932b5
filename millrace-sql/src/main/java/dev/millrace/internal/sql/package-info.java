/// SQL by way of Apache Calcite: a query is parsed, validated against the columns of its tables, decorrelated, given a
/// join order, and translated node by node to dataset operations. Calcite executes nothing and sees no data.
///
/// Start at [CalciteSql]; [RelTranslator] translates relational nodes, [RexTranslator] expressions.
@NullMarked
package dev.millrace.internal.sql;

import org.jspecify.annotations.NullMarked;
