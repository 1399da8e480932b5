/// Expressions over columns: `col("fare").dividedBy(col("km")).gt(2)`. They are values (records, serialisable,
/// comparable by `equals` except for user functions) and hold no behaviour: typing, binding and kernels are in
/// `dev.millrace.internal.expression`. Nothing here knows blocks, plans or datasets.
@NullMarked
package dev.millrace.expression;

import org.jspecify.annotations.NullMarked;
