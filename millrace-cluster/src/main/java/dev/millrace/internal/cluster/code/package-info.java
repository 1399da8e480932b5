/// The user's code on the workers. The driver has a [dev.millrace.internal.cluster.code.DriverCode]: an index of its
/// class path, and the bytes of its entries. A worker keeps entries by their content hash in a
/// [dev.millrace.internal.cluster.code.CodeCache] and has a [dev.millrace.internal.cluster.code.DriverLoader] for each
/// driver, which fetches an entry when a class of it is needed. How questions travel is none of this package's
/// business: they are calls of [dev.millrace.internal.cluster.code.CodeSupply].
@NullMarked
package dev.millrace.internal.cluster.code;

import org.jspecify.annotations.NullMarked;
