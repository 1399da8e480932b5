/// Joins: which columns come out, which types of keys can be equal, and the hash table that finds rows with equal keys.
package dev.millrace.internal.kernel.join;
