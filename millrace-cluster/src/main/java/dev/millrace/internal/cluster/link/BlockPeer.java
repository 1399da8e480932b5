package dev.millrace.internal.cluster.link;

import dev.millrace.block.Block;
import dev.millrace.error.TaskCancelled;
import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Another process whose blocks are fetched, over connections that are kept for the next fetch. Each fetch has a
/// connection of its own, so a slow one delays no other. Thread-safe.
public final class BlockPeer implements AutoCloseable {
    /// How many answers may be on their way before anybody needs them.
    private static final int MAX_AHEAD = 4;
    /// How long a peer that does not answer is tried, if nobody says that it is gone: as long as its silence may last.
    private static final long MAX_TRY_NANOS = TimeUnit.SECONDS.toNanos(8);

    /// How long a peer that did not answer is not tried again, where there is another way.
    private static final long UNREACHABLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final System.Logger LOG = System.getLogger(BlockPeer.class.getName());

    private final String name;
    private final LinkOpener opener;
    private final boolean compresses;
    private final LinkedBlockingDeque<Link> idle = new LinkedBlockingDeque<>();
    private final Set<Link> busy = ConcurrentHashMap.newKeySet();
    private final AtomicInteger ahead = new AtomicInteger();
    private volatile @Nullable String gone;
    /// When it was found that the peer does not answer; 0 if it does.
    private volatile long unreachableAt;

    /// Opens a further connection.
    public interface LinkOpener {
        /// @return null if the other side opens it and brings it by [BlockPeer#add]
        @Nullable
        Link open() throws IOException;
    }

    /// The peer cannot be reached any more, or has lost the block.
    public static final class PeerGone extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean isLost;

        PeerGone(String sentence, boolean isLost) {
            super(sentence);
            this.isLost = isLost;
        }

        /// Whether the block is lost; else this process alone may be cut off from it.
        public boolean isLost() {
            return isLost;
        }
    }

    /// @param name in errors
    /// @param compresses whether rows are compressed on the way, unless the peer is on this machine
    public BlockPeer(String name, boolean compresses, LinkOpener opener) {
        this.name = name;
        this.compresses = compresses;
        this.opener = opener;
    }

    /// A request that was made before its rows are needed.
    public final class Ahead implements AutoCloseable {
        private @Nullable BlockFetch fetch;

        private Ahead(BlockFetch fetch) {
            this.fetch = fetch;
        }

        @Override
        public void close() {
            BlockFetch open = fetch;
            if (open != null) {
                fetch = null;
                ahead.decrementAndGet();
                busy.remove(open.link());
                open.close();
            }
        }
    }

    /// Asks for rows that will be needed soon; null if enough is on its way, or if that cannot be done at once.
    public @Nullable Ahead ask(long number, long from, long rows) {
        if (gone != null || isUnreachable() || ahead.incrementAndGet() > MAX_AHEAD) {
            ahead.decrementAndGet();
            return null;
        }
        Link link = null;
        try {
            link = idle.pollFirst();
            link = link == null ? opener.open() : link;
            if (link != null) {
                return new Ahead(begin(link, number, from, rows));
            }
        } catch (IOException e) {
            // The rows will be asked for again.
        }
        ahead.decrementAndGet();
        return null;
    }

    /// The rows of a slice, as a block that the caller closes.
    ///
    /// @param asked the request for the same rows, if there is one; used up
    /// @throws PeerGone if it is gone, or cannot be reached for some seconds
    /// @throws TaskCancelled if this thread is interrupted
    public Block fetch(long number, long from, long rows, @Nullable Ahead asked, Allocator account) throws PeerGone {
        long deadline = System.nanoTime() + MAX_TRY_NANOS;
        BlockFetch fetch = null;
        if (asked != null && asked.fetch != null) {
            fetch = asked.fetch;
            asked.fetch = null;
            ahead.decrementAndGet();
        }
        String problem = "";
        while (gone == null && System.nanoTime() < deadline) {
            try {
                if (fetch == null) {
                    fetch = begin(take(), number, from, rows);
                }
                try {
                    Block block = fetch.finish(account);
                    unreachableAt = 0;
                    return block;
                } finally {
                    busy.remove(fetch.link());
                    if (fetch.link().isOpen()) {
                        giveBack(fetch.link());
                    }
                }
            } catch (BlockSource.BlockGone e) {
                throw new PeerGone(name + " has lost a block: " + e.getMessage() + ".", true);
            } catch (ClosedByInterruptException e) {
                throw new TaskCancelled();
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
                fetch = null;
                pause();
            }
        }
        if (gone != null) {
            throw new PeerGone(name + " cannot be reached: " + gone + ".", true);
        }
        markUnreachable(problem);
        throw new PeerGone(name + " cannot be reached: " + problem + ".", false);
    }

    private void markUnreachable(String problem) {
        long now = System.nanoTime();
        if (unreachableAt == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    name + " cannot be reached from here: " + problem + ". Is the network between them cut?");
        }
        unreachableAt = now == 0 ? 1 : now;
    }

    /// Whether it did not answer a short while ago, and has not since: rows had better come another way, if there is
    /// one.
    public boolean isUnreachable() {
        long at = unreachableAt;
        return at != 0 && System.nanoTime() - at < UNREACHABLE_NANOS;
    }

    private BlockFetch begin(Link link, long number, long from, long rows) throws IOException {
        busy.add(link);
        try {
            return new BlockFetch(link, number, from, rows, compresses && !link.isLocal());
        } catch (IOException e) {
            busy.remove(link);
            throw e;
        }
    }

    private Link take() throws IOException {
        Link link = idle.pollFirst();
        link = link == null ? opener.open() : link;
        if (link == null) {
            try {
                link = idle.pollFirst(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TaskCancelled();
            }
        }
        if (link == null) {
            throw new IOException("it opened no connection");
        }
        return link;
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TaskCancelled();
        }
    }

    /// A connection on which the peer serves.
    public void add(Link link) {
        giveBack(link);
    }

    private void giveBack(Link link) {
        idle.addFirst(link);
        if (gone != null) {
            closeAll();
        }
    }

    /// The peer is gone: what waits for it fails.
    ///
    /// @param why a part of a sentence
    public void gone(String why) {
        gone = why;
        closeAll();
    }

    private void closeAll() {
        for (Link link = idle.pollFirst(); link != null; link = idle.pollFirst()) {
            link.close();
        }
        busy.forEach(Link::close);
    }

    @Override
    public void close() {
        gone("this process has done with it");
    }
}
