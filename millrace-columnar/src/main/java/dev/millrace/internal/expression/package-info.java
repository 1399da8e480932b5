/// What an expression means: its type over a schema ([ExpressionTypes]), its form bound to that schema
/// ([BoundExpression]), and the kernels that compute it over a block, one file per family. In goes an
/// `Expression` and a block, out comes a column or the rows a filter keeps. Knows no plans, operators or tasks.
package dev.millrace.internal.expression;
