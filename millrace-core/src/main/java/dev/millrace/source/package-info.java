/// Where data comes from: a [dev.millrace.source.Source] describes, a [dev.millrace.source.Split] is one unit of
/// parallel reading, a [dev.millrace.source.SplitReader] reads it chunk by chunk inside a task.
@NullMarked
package dev.millrace.source;

import org.jspecify.annotations.NullMarked;
