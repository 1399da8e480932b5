package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.HashFunction;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/// Hashes of the bytes of texts and binaries, read where they lie, and of rows of any columns.
final class HashKernels {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    /// Rows are hashed in parts of this size.
    private static final int PART = 4096;

    private HashKernels() {}

    static DataType result(HashFunction function, Call call, List<DataType> types) {
        if (function == HashFunction.MIN_HASH) {
            CallArguments.requireText(call, 0, types.getFirst());
        } else if (function != HashFunction.HASH) {
            DataType type = types.getFirst();
            boolean takes = CallArguments.isTextOrNull(type) || type instanceof DataType.Binary;
            CallArguments.require(takes, call, 0, type, "a string or binary");
        }
        return switch (function) {
            case MD5, SHA1, SHA256, SHA512 -> DataType.UTF8;
            case XX_HASH_64, HASH -> DataType.INT64;
            case MURMUR3 -> DataType.INT32;
            case MIN_HASH -> DataType.fixedList(DataType.UINT32, number(call, 1).intValue());
        };
    }

    static ExpressionNode bind(HashFunction function, Call call, DataType result, List<ExpressionNode> arguments) {
        ExpressionNode input = arguments.getFirst();
        return switch (function) {
            case MD5 -> new Digested(input, "MD5");
            case SHA1 -> new Digested(input, "SHA-1");
            case SHA256 -> new Digested(input, "SHA-256");
            case SHA512 -> new Digested(input, "SHA-512");
            case XX_HASH_64 -> new XxHash(input, number(call, 1).longValue());
            case MURMUR3 -> new Murmur(input, number(call, 1).intValue());
            case MIN_HASH ->
                new MinHash(
                        (DataType.FixedList) result,
                        input,
                        number(call, 2).intValue(),
                        number(call, 3).longValue());
            case HASH -> new OfRows(arguments);
        };
    }

    private static Number number(Call call, int argument) {
        return (Number) CallArguments.constant(call, argument);
    }

    /// The hexadecimal digits of a digest of Java's library.
    private static final class Digested extends ExpressionNode {
        private final ExpressionNode input;
        private final MessageDigest digest;

        Digested(ExpressionNode input, String algorithm) {
            super(DataType.UTF8);
            this.input = input;
            try {
                this.digest = MessageDigest.getInstance(algorithm);
            } catch (NoSuchAlgorithmException e) {
                throw MillraceException.internal("this Java has no " + algorithm + ": " + e.getMessage());
            }
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                byte[] digits = new byte[2 * digest.getDigestLength()];
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    if (texts.isNull(row)) {
                        builder.appendNull();
                        continue;
                    }
                    digest.update(texts.bytes(row).asByteBuffer());
                    byte[] hash = digest.digest();
                    for (int i = 0; i < hash.length; i++) {
                        digits[2 * i] = HEX[hash[i] >> 4 & 15];
                        digits[2 * i + 1] = HEX[hash[i] & 15];
                    }
                    builder.append(digits, 0, digits.length);
                }
                return builder.build();
            }
        }
    }

    private static final class XxHash extends ExpressionNode {
        private final ExpressionNode input;
        private final long seed;

        XxHash(ExpressionNode input, long seed) {
            super(DataType.INT64);
            this.input = input;
            this.seed = seed;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                for (long row = 0; row < rows.count(); row++) {
                    long hash = texts.isNull(row) ? 0 : XxHash64Hasher.hash(texts.bytes(row), seed);
                    output.values().setAtIndex(JAVA_LONG, row, hash);
                }
                return output.build(BitWords.valid(texts));
            }
        }
    }

    private static final class Murmur extends ExpressionNode {
        private final ExpressionNode input;
        private final int seed;

        Murmur(ExpressionNode input, int seed) {
            super(DataType.INT32);
            this.input = input;
            this.seed = seed;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                for (long row = 0; row < rows.count(); row++) {
                    int hash =
                            texts.isNull(row) ? 0 : hash(texts.dataSegment(), texts.start(row), texts.end(row), seed);
                    output.values().setAtIndex(JAVA_INT, row, hash);
                }
                return output.build(BitWords.valid(texts));
            }
        }

        /// MurmurHash3_x86_32 of Austin Appleby's reference, of the bytes `from` to `to`.
        private static int hash(MemorySegment bytes, long from, long to, int seed) {
            int hash = seed;
            long at = from;
            for (; at + Integer.BYTES <= to; at += Integer.BYTES) {
                hash ^= mixed(bytes.get(JAVA_INT_UNALIGNED, at));
                hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
            }
            int rest = 0;
            for (int shift = 0; at < to; at++, shift += Byte.SIZE) {
                rest |= Byte.toUnsignedInt(bytes.get(JAVA_BYTE, at)) << shift;
            }
            hash ^= mixed(rest);
            hash ^= (int) (to - from);
            hash = (hash ^ hash >>> 16) * 0x85ebca6b;
            hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
            return hash ^ hash >>> 16;
        }

        private static int mixed(int word) {
            return Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
        }
    }

    /// The hash that exchanges and hash tables use, of several columns.
    private static final class OfRows extends ExpressionNode {
        private final List<ExpressionNode> inputs;

        OfRows(List<ExpressionNode> inputs) {
            super(DataType.INT64);
            this.inputs = List.copyOf(inputs);
        }

        @Override
        Column column(EvaluationRows rows) {
            List<HeldColumn> held = new ArrayList<>();
            try (FixedOutput output = new FixedOutput(type(), rows)) {
                inputs.forEach(input -> held.add(input.values(rows)));
                RowHash hash = RowHash.of(held.stream().map(HeldColumn::column).toList());
                long[] hashes = new long[(int) Math.min(PART, rows.count())];
                for (long from = 0; from < rows.count(); from += PART) {
                    int count = (int) Math.min(PART, rows.count() - from);
                    hash.compute(from, count, hashes);
                    MemorySegment.copy(hashes, 0, output.values(), JAVA_LONG, from * Long.BYTES, count);
                }
                return output.build(null);
            } finally {
                held.forEach(HeldColumn::close);
            }
        }
    }
}
