package dev.millrace.internal.kernel.window;

import java.util.Arrays;

/// Where the partitions of sorted rows begin, and the peers in them.
final class Partitions {
    private final int rows;
    private final int[] starts;
    /// Starts of peers, and the end; partitions where nobody asked for peers.
    private final int[] peers;

    /// @param starts ascending, from 0, with the number of rows at the end; just that where there are none
    /// @param peers the same, for rows with equal order keys
    Partitions(int rows, int[] starts, int[] peers) {
        this.rows = rows;
        this.starts = starts;
        this.peers = peers;
    }

    int rows() {
        return rows;
    }

    int count() {
        return starts.length - 1;
    }

    int start(int partition) {
        return starts[partition];
    }

    int end(int partition) {
        return starts[partition + 1];
    }

    /// How many groups of peers there are.
    int peerGroups() {
        return peers.length - 1;
    }

    /// The same one partition with one more row before its first, which is nobody's peer.
    Partitions behindOne() {
        int[] shifted = new int[peers.length + 1];
        for (int i = 0; i < peers.length; i++) {
            shifted[i + 1] = peers[i] + 1;
        }
        return new Partitions(rows + 1, new int[] {0, rows + 1}, shifted);
    }

    /// Of each row the number of its partition.
    int[] numbers() {
        int[] numbers = new int[rows];
        for (int p = 0; p < count(); p++) {
            Arrays.fill(numbers, start(p), end(p), p);
        }
        return numbers;
    }

    /// Of each row the first row of its partition.
    int[] firsts() {
        return firsts(starts);
    }

    /// Of each row its first peer.
    int[] firstPeers() {
        return firsts(peers);
    }

    private int[] firsts(int[] ofStarts) {
        int[] firsts = new int[rows];
        for (int i = 0; i + 1 < ofStarts.length; i++) {
            Arrays.fill(firsts, ofStarts[i], ofStarts[i + 1], ofStarts[i]);
        }
        return firsts;
    }

    /// Of each row the row behind its last peer.
    int[] peerEnds() {
        int[] ends = new int[rows];
        for (int i = 0; i + 1 < peers.length; i++) {
            Arrays.fill(ends, peers[i], peers[i + 1], peers[i + 1]);
        }
        return ends;
    }
}
