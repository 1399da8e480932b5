package dev.millrace.internal.models.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// The pieces of words and their ids, as two tries over UTF-8 bytes: one of the pieces that begin a word, one of those
/// that continue it. Immutable; any thread.
public final class WordPieceVocabulary {
    private static final int BEGIN = 0;
    private static final int GO_ON = 1;

    private final List<String> pieces;
    /// The edges as a hash table with open addressing: the key combines node and byte, the value is the next node.
    private int[] keys = new int[1 << 10];

    private int[] targets = new int[1 << 10];
    private int edges;
    /// For each node the piece that ends there, or -1.
    private int[] ends = new int[1 << 10];

    private int nodes = 2;

    /// @param pieces each at the index of its id; null for unused ids
    /// @param prefix the prefix of a piece that continues a word: "##"
    public WordPieceVocabulary(List<String> pieces, String prefix) {
        this.pieces = pieces;
        Arrays.fill(keys, -1);
        Arrays.fill(ends, -1);
        for (int id = 0; id < pieces.size(); id++) {
            String piece = pieces.get(id);
            if (piece != null) {
                add(piece, BEGIN, id);
                if (piece.startsWith(prefix)) {
                    add(piece.substring(prefix.length()), GO_ON, id);
                }
            }
        }
    }

    public int size() {
        return pieces.size();
    }

    /// @return null if the id is not used
    public String piece(int id) {
        return pieces.get(id);
    }

    private void add(String piece, int root, int id) {
        int node = root;
        for (byte b : piece.getBytes(StandardCharsets.UTF_8)) {
            int next = next(node, b);
            if (next < 0) {
                next = nodes++;
                if (next == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * next);
                    Arrays.fill(ends, next, ends.length, -1);
                }
                put(node, b, next);
            }
            node = next;
        }
        if (node != root) {
            ends[node] = id;
        }
    }

    private void put(int node, byte b, int next) {
        if (2 * ++edges > keys.length) {
            int[] oldKeys = keys;
            int[] oldTargets = targets;
            keys = new int[2 * oldKeys.length];
            targets = new int[keys.length];
            Arrays.fill(keys, -1);
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldKeys[i] != -1) {
                    int slot = free(oldKeys[i]);
                    keys[slot] = oldKeys[i];
                    targets[slot] = oldTargets[i];
                }
            }
        }
        int key = key(node, b);
        int slot = free(key);
        keys[slot] = key;
        targets[slot] = next;
    }

    private int free(int key) {
        int slot = slot(key);
        while (keys[slot] != -1) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }

    private static int key(int node, byte b) {
        return node << 8 | b & 0xFF;
    }

    private int slot(int key) {
        int hash = key * 0x9E37_79B9;
        return (hash ^ hash >>> 15) & keys.length - 1;
    }

    private int next(int node, byte b) {
        int key = key(node, b);
        for (int slot = slot(key); ; slot = slot + 1 & keys.length - 1) {
            if (keys[slot] == key) {
                return targets[slot];
            }
            if (keys[slot] == -1) {
                return -1;
            }
        }
    }

    /// The longest piece at the beginning of a word, or of the remainder of one.
    ///
    /// @return its length in bytes and its id as `length << 32 | id`; -1 if there is none
    long longest(byte[] word, int from, int to, boolean goesOn) {
        long found = -1;
        int node = goesOn ? GO_ON : BEGIN;
        for (int at = from; at < to; at++) {
            node = next(node, word[at]);
            if (node < 0) {
                break;
            }
            if (ends[node] >= 0) {
                found = (long) (at + 1 - from) << 32 | ends[node];
            }
        }
        return found;
    }
}
