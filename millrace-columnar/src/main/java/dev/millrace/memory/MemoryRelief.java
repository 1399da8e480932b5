package dev.millrace.memory;

/// Frees memory when a tree of accounts is full, before a request is refused. Called on the allocating thread, by
/// several threads at once, with whatever locks that thread holds: it must neither allocate from the same tree nor wait
/// for such an allocation.
public interface MemoryRelief {
    /// A relief that frees nothing.
    ///
    /// @param why a sentence for the error that follows
    static MemoryRelief none(String why) {
        return new MemoryRelief() {
            @Override
            public boolean relieve(long bytes, long most) {
                return false;
            }

            @Override
            public String state() {
                return why;
            }
        };
    }

    /// Frees memory of the tree until `bytes` more fit below `most`, if it can.
    ///
    /// @return whether it is worth trying again
    boolean relieve(long bytes, long most);

    /// What was freed and why no more can be, as sentences for the error that follows; may be empty.
    String state();
}
