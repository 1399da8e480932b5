/// The encodings of a page's values: bytes of a page in, values as columns hold them out. Each decoder belongs to one
/// page and one thread; whatever a page's bytes say, none reads or writes outside its memory.
package dev.millrace.internal.parquet.decode;
