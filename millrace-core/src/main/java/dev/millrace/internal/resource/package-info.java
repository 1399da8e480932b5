/// Resource sharing: capacity shared by runs, block memory divided among operators, sizes of actor pools. Pure
/// functions, except [dev.millrace.internal.resource.FairCapacity], which is thread-safe.
@NullMarked
package dev.millrace.internal.resource;

import org.jspecify.annotations.NullMarked;
