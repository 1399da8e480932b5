/// Connections: the first frame with its token, messages, and blocks that are fetched. Both sides of a cluster use it;
/// it knows neither tasks nor nodes.
@NullMarked
package dev.millrace.internal.cluster.link;

import org.jspecify.annotations.NullMarked;
