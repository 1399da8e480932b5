/// Functions and models in Python: a [PythonUdf] is passed to the verbs of a dataset and runs in worker processes, over
/// shared memory.
@NullMarked
package dev.millrace.python;

import org.jspecify.annotations.NullMarked;
