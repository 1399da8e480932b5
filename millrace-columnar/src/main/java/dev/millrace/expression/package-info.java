/// Expressions over columns: `col("fare").dividedBy(col("km")).gt(2)`. They are values (records, serialisable,
/// comparable by `equals` except for user functions) without behaviour: typing, binding and kernels are in
/// `dev.millrace.internal.expression`. This package does not depend on blocks, plans or datasets.
@NullMarked
package dev.millrace.expression;

import org.jspecify.annotations.NullMarked;
