package dev.millrace.parquet;

import dev.millrace.parquet.ThriftTree.Struct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Ways in which what a file says about a column can contradict itself, or make no sense: none of it may cost a row.
/// (Bounds that are wrong and look right cannot be told from right ones.)
enum MetadataDamage {
    NOTHING {
        @Override
        void apply(Target column) {}
    },
    STATISTICS_SWAPPED {
        @Override
        void apply(Target column) {
            column.statistics().ifPresent(some -> {
                swap(some, 5, 6);
                swap(some, 1, 2);
            });
        }
    },
    STATISTICS_OF_ANOTHER_WIDTH {
        @Override
        void apply(Target column) {
            boolean hasWidth = column.isFixed();
            column.statistics().filter(_ -> hasWidth).ifPresent(some -> {
                for (int field : new int[] {1, 2, 5, 6}) {
                    if (some.has(field)) {
                        some.bytes(field, column.resized((byte[]) some.get(field)));
                    }
                }
            });
        }
    },
    STATISTICS_WITH_ONE_BOUND {
        @Override
        void apply(Target column) {
            int lost = column.random().nextBoolean() ? 5 : 6;
            column.statistics().ifPresent(some -> some.remove(lost).remove(lost - 4));
        }
    },
    STATISTICS_NOT_A_NUMBER {
        @Override
        void apply(Target column) {
            int lost = column.random().nextInt(4, 7);
            column.statistics().filter(_ -> column.isFloat()).ifPresent(some -> {
                byte[] nan = column.physical() == Target.FLOAT ? floats(Float.NaN) : doubles(Double.NaN);
                some.remove(1).remove(2).bytes(5, nan).bytes(6, nan).remove(lost);
            });
        }
    },
    STATISTICS_IN_AN_UNKNOWN_ORDER {
        @Override
        void apply(Target column) {
            Struct order = new Struct().set(9, ThriftTree.STRUCT, new Struct());
            column.file().footer().list(7).values().set(column.leaf(), order);
            column.statistics().ifPresent(some -> {
                some.remove(1).remove(2);
                Object bound = some.get(column.random().nextBoolean() ? 5 : 6);
                if (bound != null) {
                    some.bytes(5, (byte[]) bound).bytes(6, (byte[]) bound);
                }
            });
            column.index(index -> {
                List<Object> bounds = index.list(2).values();
                Collections.shuffle(bounds, column.random());
                index.list(3, ThriftTree.BINARY, new ArrayList<>(bounds)).remove(4);
            });
        }
    },
    NULLS_BELOW_ZERO {
        @Override
        void apply(Target column) {
            column.statistics().ifPresent(some -> some.number(3, -1));
        }
    },
    NULLS_MORE_THAN_ROWS {
        @Override
        void apply(Target column) {
            column.statistics().ifPresent(some -> some.number(3, 1_000_000));
        }
    },
    NULLS_EVERYWHERE_AND_BOUNDS {
        @Override
        void apply(Target column) {
            long values = column.metadata().number(5);
            column.statistics()
                    .filter(some -> column.isRequired() || some.has(5))
                    .ifPresent(some -> some.number(3, values));
        }
    },
    VALUES_FEWER_THAN_ROWS_IN_STATISTICS {
        @Override
        void apply(Target column) {
            long values = column.metadata().number(5);
            column.statistics().filter(some -> !some.has(5)).ifPresent(some -> some.number(3, values + 1));
        }
    },
    INDEX_OF_NULL_PAGES {
        @Override
        void apply(Target column) {
            column.index(index -> {
                int pages = index.list(1).values().size();
                index.list(1, 1, fill(pages, true));
                index.list(2, ThriftTree.BINARY, fill(pages, new byte[0]));
                index.list(3, ThriftTree.BINARY, fill(pages, new byte[0]));
                index.remove(4).list(5, ThriftTree.I64, fill(pages, -1L));
            });
        }
    },
    INDEX_OF_NULL_PAGES_WITHOUT_COUNTS {
        @Override
        void apply(Target column) {
            if (column.isRequired()) {
                INDEX_OF_NULL_PAGES.apply(column);
                column.index(index -> index.remove(5));
            }
        }
    },
    INDEX_WITH_SWAPPED_BOUNDS {
        @Override
        void apply(Target column) {
            column.index(index -> {
                ThriftTree.Value mins = index.fields().get(2);
                index.fields().put(2, index.fields().get(3));
                index.fields().put(3, mins);
            });
        }
    },
    INDEX_WITH_BOUNDS_OF_ANOTHER_WIDTH {
        @Override
        void apply(Target column) {
            if (column.isFixed()) {
                column.index(index -> {
                    for (int field = 2; field <= 3; field++) {
                        index.list(field).values().replaceAll(bound -> column.resized((byte[]) bound));
                    }
                });
            }
        }
    },
    INDEX_WITH_TOO_FEW_BOUNDS {
        @Override
        void apply(Target column) {
            int field = column.random().nextInt(1, 4);
            column.index(index -> index.list(field).values().removeLast());
        }
    },
    INDEX_WITH_TOO_MANY_NULLS {
        @Override
        void apply(Target column) {
            column.index(index -> {
                if (index.has(5)) {
                    index.list(5).values().replaceAll(nulls -> (Long) nulls + 1_000);
                }
            });
        }
    },
    INDEX_OF_NULLS_WITH_BOUNDS {
        @Override
        void apply(Target column) {
            column.index(index -> {
                if (index.has(5) && column.isRequired()) {
                    index.list(5).values().replaceAll(_ -> 1L);
                }
            });
        }
    },
    INDEX_OUT_OF_ITS_ORDER {
        @Override
        void apply(Target column) {
            column.index(index -> {
                List<Object> mins = index.list(2).values();
                boolean values = index.list(1).values().stream().noneMatch(Boolean.TRUE::equals);
                boolean ordered = index.has(4) && index.number(4) > 0;
                int last = mins.size() - 1;
                if (values && ordered && !Arrays.equals((byte[]) mins.getFirst(), (byte[]) mins.get(last))) {
                    Collections.swap(mins, 0, last);
                    Collections.swap(index.list(3).values(), 0, last);
                }
            });
        }
    },
    INDEX_CUT_OFF {
        @Override
        void apply(Target column) {
            column.chunks().filter(chunk -> chunk.has(7)).forEach(chunk -> chunk.number(7, chunk.number(7) / 2));
        }
    },
    INDEX_ELSEWHERE {
        @Override
        void apply(Target column) {
            long place = column.random().nextLong(-5, 100_000);
            column.chunks().filter(chunk -> chunk.has(6)).forEach(chunk -> chunk.number(6, place));
        }
    },
    PAGES_ELSEWHERE {
        @Override
        void apply(Target column) {
            long place = column.random().nextLong(-5, 2_000_000);
            column.chunks().filter(chunk -> chunk.has(4)).forEach(chunk -> chunk.number(4, place));
        }
    },
    PAGES_OUT_OF_ORDER {
        @Override
        void apply(Target column) {
            column.places(places -> Collections.swap(
                    places.list(1).values(), 0, places.list(1).values().size() - 1));
        }
    },
    PAGES_BEHIND_THE_ROWS {
        @Override
        void apply(Target column) {
            column.places(places ->
                    places.list(1).struct(places.list(1).values().size() - 1).number(3, 1L << 40));
        }
    },
    PAGE_WITH_A_ROW_TOO_MANY {
        @Override
        void apply(Target column) {
            column.places(places -> {
                int pages = places.list(1).values().size();
                if (pages > 1) {
                    Struct page = places.list(1).struct(column.random().nextInt(1, pages));
                    page.number(3, page.number(3) + 1);
                }
            });
        }
    },
    PAGE_THAT_IS_NONE {
        @Override
        void apply(Target column) {
            column.places(places -> {
                int pages = places.list(1).values().size();
                Struct page = places.list(1).struct(column.random().nextInt(pages));
                page.number(1, page.number(1) + 3).number(2, page.number(2) - 3);
            });
        }
    },
    BLOOM_FILTER_ELSEWHERE {
        @Override
        void apply(Target column) {
            long place = column.random().nextLong(-5, 2_000_000);
            column.chunks()
                    .map(chunk -> chunk.struct(3))
                    .filter(some -> some.has(14))
                    .forEach(some -> some.remove(15).number(14, place));
        }
    },
    BLOOM_FILTER_OF_ANOTHER_LENGTH {
        @Override
        void apply(Target column) {
            column.chunks()
                    .map(chunk -> chunk.struct(3))
                    .filter(some -> some.has(14))
                    .forEach(some -> {
                        Struct header = column.file().at(some.number(14)).number(1, 32);
                        long place = column.file().add(header.encoded());
                        column.file().add(new byte[32]);
                        some.remove(15).number(14, place);
                    });
        }
    },
    BLOOM_FILTER_OF_AN_UNKNOWN_KIND {
        @Override
        void apply(Target column) {
            int choice = column.random().nextInt(2, 5);
            column.chunks()
                    .map(chunk -> chunk.struct(3))
                    .filter(some -> some.has(14))
                    .forEach(some -> {
                        Struct header = column.file().at(some.number(14));
                        Struct other = new Struct().set(7, ThriftTree.STRUCT, new Struct());
                        header.set(choice, ThriftTree.STRUCT, other);
                        long place = column.file().add(header.encoded());
                        column.file().add(new byte[(int) header.number(1)]);
                        some.remove(15).number(14, place);
                    });
        }
    },
    DICTIONARY_PAGES_COUNTED_BELOW_ZERO {
        @Override
        void apply(Target column) {
            column.chunks()
                    .map(chunk -> chunk.struct(3))
                    .filter(some -> some.has(13))
                    .forEach(some -> some.list(13).values().forEach(one -> {
                        Struct count = (Struct) one;
                        boolean data = count.number(1) == 0 || count.number(1) == 3;
                        if (data && count.number(2) == 0) {
                            count.number(3, -count.number(3));
                        }
                    }));
        }
    },
    DICTIONARY_WITHOUT_A_PLACE {
        @Override
        void apply(Target column) {
            column.chunks().map(chunk -> chunk.struct(3)).forEach(some -> {
                if (some.has(11)) {
                    some.number(9, some.number(11)).remove(11);
                }
            });
        }
    };

    /// Changes what is said of one column.
    abstract void apply(Target column);

    /// One leaf column of a file, in all its row groups.
    record Target(EditedFile file, int leaf, Struct element, Random random) {
        static final int INT96 = 3;
        static final int FLOAT = 4;
        static final int BYTE_ARRAY = 6;

        int physical() {
            return (int) element.number(1);
        }

        boolean isRequired() {
            return !element.has(3) || element.number(3) == 0;
        }

        boolean isFixed() {
            return physical() != BYTE_ARRAY;
        }

        boolean isFloat() {
            return physical() == FLOAT || physical() == FLOAT + 1;
        }

        java.util.stream.Stream<Struct> chunks() {
            return file.groups().stream().map(group -> group.list(1).struct(leaf));
        }

        /// Of a row group drawn at random.
        Struct metadata() {
            return file.groups()
                    .get(random.nextInt(file.groups().size()))
                    .list(1)
                    .struct(leaf)
                    .struct(3);
        }

        /// Of the first row group.
        java.util.Optional<Struct> statistics() {
            return java.util.Optional.ofNullable(file.chunk(0, leaf).struct(3).struct(12));
        }

        interface Change {
            void of(Struct struct);
        }

        /// Replaces the column index of each row group that has one.
        void index(Change change) {
            chunks().filter(chunk -> chunk.has(6)).forEach(chunk -> {
                Struct index = file.at(chunk.number(6));
                change.of(index);
                byte[] bytes = index.encoded();
                chunk.number(6, file.add(bytes)).number(7, bytes.length);
            });
        }

        /// Replaces the offset index of each row group that has one.
        void places(Change change) {
            chunks().filter(chunk -> chunk.has(4)).forEach(chunk -> {
                Struct places = file.at(chunk.number(4));
                change.of(places);
                byte[] bytes = places.encoded();
                chunk.number(4, file.add(bytes)).number(5, bytes.length);
            });
        }

        private byte[] resized(byte[] bound) {
            return Arrays.copyOf(bound, Math.max(0, bound.length + (random.nextBoolean() ? 1 : -1)));
        }
    }

    private static void swap(Struct struct, int one, int other) {
        if (struct.has(one) && struct.has(other)) {
            Object kept = struct.get(one);
            struct.bytes(one, (byte[]) struct.get(other)).bytes(other, (byte[]) kept);
        }
    }

    private static List<Object> fill(int count, Object value) {
        return new ArrayList<>(Collections.nCopies(count, value));
    }

    private static byte[] floats(float value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array();
    }

    private static byte[] doubles(double value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(value)
                .array();
    }
}
