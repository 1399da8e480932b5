/// The storages there are: [dev.millrace.internal.storage.StorageRegistry] chooses one by a path's scheme.
@NullMarked
package dev.millrace.internal.storage;

import org.jspecify.annotations.NullMarked;
