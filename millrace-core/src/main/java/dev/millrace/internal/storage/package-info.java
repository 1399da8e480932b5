/// The storages there are: [dev.millrace.internal.storage.Storages] chooses one by a path's scheme.
package dev.millrace.internal.storage;
