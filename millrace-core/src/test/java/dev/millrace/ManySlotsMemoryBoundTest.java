package dev.millrace;

/// The same with eight tasks at once; a batch takes half of what each has.
class ManySlotsMemoryBoundTest extends MemoryBoundTest {
    @Override
    int slots() {
        return 8;
    }
}
