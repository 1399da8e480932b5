/// SQL by way of Apache Calcite: a query is parsed, checked against the columns of its tables, freed of subqueries,
/// given an order of joins, and translated node by node into verbs of datasets. Calcite runs nothing and sees no data.
///
/// Start at [CalciteSql]; what becomes of a relational node is in [RelTranslator], of an expression in [RexTranslator].
package dev.millrace.internal.sql;
