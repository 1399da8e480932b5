/// Join kernels: the columns of the result, the types of keys that can be equal, and the hash table that finds rows
/// with equal keys.
@NullMarked
package dev.millrace.internal.kernel.join;

import org.jspecify.annotations.NullMarked;
