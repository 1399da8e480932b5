package dev.millrace.expression;

/// Hashes of texts and binaries, and of any values; see [HashMethods] for their meaning.
public enum HashFunction implements Function {
    MD5,
    SHA1,
    SHA256,
    SHA512,
    XX_HASH_64,
    MURMUR3,
    MIN_HASH,
    HASH
}
