/// The storages there are: [dev.millrace.internal.storage.StorageRegistry] chooses one by a path's scheme.
package dev.millrace.internal.storage;
