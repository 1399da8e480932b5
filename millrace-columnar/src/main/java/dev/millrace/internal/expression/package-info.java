/// Evaluation of expressions: the type over a schema ([ExpressionTypes]), the form bound to that schema
/// ([BoundExpression]), and the kernels that compute it over a block, one file per family. The input is an `Expression`
/// and a block, the output is a column or the rows that a filter keeps. Does not depend on plans, operators or tasks.
@NullMarked
package dev.millrace.internal.expression;

import org.jspecify.annotations.NullMarked;
