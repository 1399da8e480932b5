package dev.millrace.internal.storage;

import dev.millrace.storage.StoredFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// The files below a folder between two commits: where one was made while the folders were listed, they are listed
/// again. Of folders with many files only the first are looked at in this way, and the rest as it is asked for.
final class WholeListing implements Iterator<StoredFile> {
    private static final int MAX_AT_ONCE = 1_000;

    private final Iterator<StoredFile> first;
    private final Iterator<StoredFile> rest;

    private WholeListing(Iterator<StoredFile> first, Iterator<StoredFile> rest) {
        this.first = first;
        this.rest = rest;
    }

    static Iterator<StoredFile> of(Path folder) {
        for (int i = 0; ; i++) {
            FolderWalk walk = new FolderWalk(folder);
            List<StoredFile> files = new ArrayList<>();
            while (files.size() < MAX_AT_ONCE && walk.hasNext()) {
                files.add(walk.next());
            }
            if (walk.hasNext() || walk.isUnchanged() || i == FolderWalk.TRIES) {
                return new WholeListing(files.iterator(), walk.watchNoMore());
            }
        }
    }

    @Override
    public boolean hasNext() {
        return first.hasNext() || rest.hasNext();
    }

    @Override
    public StoredFile next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return first.hasNext() ? first.next() : rest.next();
    }
}
