package dev.millrace.expression;

import dev.millrace.error.MillraceException;

/// Hashes of the UTF-8 bytes of a text, or of a binary.
sealed interface HashMethods permits Expression {

    /// The MD5 hash as 32 hexadecimal digits. For identification, not for security.
    default Expression md5() {
        return Call.of(HashFunction.MD5, (Expression) this);
    }

    /// The SHA-1 hash as 40 hexadecimal digits. For identification, not for security.
    default Expression sha1() {
        return Call.of(HashFunction.SHA1, (Expression) this);
    }

    /// The SHA-256 hash as 64 hexadecimal digits.
    default Expression sha256() {
        return Call.of(HashFunction.SHA256, (Expression) this);
    }

    /// The SHA-512 hash as 128 hexadecimal digits.
    default Expression sha512() {
        return Call.of(HashFunction.SHA512, (Expression) this);
    }

    /// The 64-bit xxHash (XXH64) as int64, which holds its bits.
    default Expression xxHash64(long seed) {
        return Call.of(HashFunction.XX_HASH_64, (Expression) this, seed);
    }

    /// The 64-bit xxHash with seed 0.
    default Expression xxHash64() {
        return xxHash64(0);
    }

    /// The 32-bit MurmurHash3 (x86) as int32, which holds its bits.
    default Expression murmur3(int seed) {
        return Call.of(HashFunction.MURMUR3, (Expression) this, seed);
    }

    /// The 32-bit MurmurHash3 with seed 0.
    default Expression murmur3() {
        return murmur3(0);
    }

    /// A MinHash signature of a text, a fixed list of `hashes` uint32: the share of equal positions of two signatures
    /// estimates the Jaccard similarity of the sets of their n-grams of words. Words are separated by whitespace
    /// (ASCII); a text with fewer than `words` of them is one n-gram.
    ///
    /// Position `i` is the least `((a[i] * x + b[i]) mod (2^61 - 1)) mod 2^32` over the n-grams, where `x` is the low
    /// half of the XXH64 of an n-gram (its words joined by one blank), and `a[i]`, `b[i]` are the outputs `2i` and
    /// `2i + 1` of SplitMix64 with the seed, mod 2^61 - 1.
    ///
    /// @param hashes 1 to 4096
    /// @param words the words of an n-gram, 1 or more
    default Expression minHash(int hashes, int words, long seed) {
        if (hashes < 1 || hashes > 4096 || words < 1) {
            throw MillraceException.user("minHash: ask for 1 to 4096 hashes of n-grams of 1 or more words, not for "
                    + hashes + " of " + words + ".");
        }
        return Call.of(HashFunction.MIN_HASH, (Expression) this, hashes, words, seed);
    }

    /// A signature of `hashes` values of single words; see [#minHash(int, int, long)].
    default Expression minHash(int hashes) {
        return minHash(hashes, 1, 1);
    }
}
