/// Join kernels: the columns of the result, the types of keys that can be equal, and the hash table that finds rows
/// with equal keys.
package dev.millrace.internal.kernel.join;
