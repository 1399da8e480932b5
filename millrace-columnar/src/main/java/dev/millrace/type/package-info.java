/// Names and types of columns: [dev.millrace.type.Schema], [dev.millrace.type.Field], [dev.millrace.type.DataType].
@NullMarked
package dev.millrace.type;

import org.jspecify.annotations.NullMarked;
