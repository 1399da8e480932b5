package dev.millrace.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.type.TimeUnit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeTextTest {
    private static final long SEED = 20_261_116;

    private final MemorySegment bytes = Arena.ofAuto().allocate(512);
    private final TextScratch scratch = new TextScratch();
    private final Random random = new Random(SEED);

    /// Something else follows, as in a file.
    private int put(String text) {
        byte[] ascii = (text + "9,9.9").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(ascii, 0, bytes, ValueLayout.JAVA_BYTE, 3, ascii.length);
        return 3 + text.length();
    }

    private int date(String text) {
        return TimeText.date(bytes, 3, put(text));
    }

    private long micros(String text) {
        return micros(text, (ZoneClock) null);
    }

    private long micros(String text, String zone) {
        return micros(text, ZoneClock.of(zone));
    }

    /// The same in native memory and in an array.
    private long micros(String text, ZoneClock clock) {
        long micros = TimeText.timestamp(bytes, 3, put(text), TimeUnit.MICROSECOND, clock);
        byte[] array = ("9" + text).getBytes(StandardCharsets.US_ASCII);
        assertThat(TimeText.timestamp(array, 1, array.length, TimeUnit.MICROSECOND, clock, scratch))
                .as(text)
                .isEqualTo(micros);
        return micros;
    }

    @Test
    void everyDay() {
        for (LocalDate day = LocalDate.of(0, 1, 1);
                day.getYear() < 10_000;
                day = day.plusDays(1 + random.nextInt(20))) {
            assertThat(date(day.toString())).as("%s", day).isEqualTo((int) day.toEpochDay());
        }
        for (int i = 0; i < 10_000; i++) {
            LocalDate day = LocalDate.ofEpochDay(random.nextInt());
            assertThat(date(day.toString())).as("%s", day).isEqualTo((int) day.toEpochDay());
        }
    }

    @Test
    void datesThatAreNone() {
        for (String text : List.of(
                "2023-02-29",
                "2100-02-29",
                "2024-13-01",
                "2024-00-01",
                "2024-01-32",
                "2024-1-01",
                "2024/01/01",
                "24-01-01",
                "2024-01-0a",
                "2024-04-31",
                "20240101",
                "2024-01-01 ",
                "+024-01-01",
                "-2024-02-30",
                "+12345-1-01",
                "+1234567890-01-01",
                "+999999999-01-01",
                "12345-01-01",
                "")) {
            assertThat(date(text)).as(text).isEqualTo(TimeText.NO_DATE);
        }
    }

    @Test
    void timestampsWithAndWithoutOffsets() {
        for (int i = 0; i < 20_000; i++) {
            LocalDateTime time = LocalDateTime.ofEpochSecond(
                    random.nextLong(-100_000_000_000L, 400_000_000_000L),
                    random.nextInt(1_000_000) * 1000,
                    ZoneOffset.UTC);
            String text =
                    random.nextBoolean() ? time.toString() : time.toString().replace('T', ' ');
            long micros = time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + time.get(ChronoField.MICRO_OF_SECOND);
            assertThat(micros(text)).as(text).isEqualTo(micros);
            assertThat(micros(text, "UTC")).as(text).isEqualTo(micros);
            ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(-18 * 3600, 18 * 3600 + 1));
            assertThat(micros(text + offset, "Asia/Tokyo"))
                    .as(text + offset)
                    .isEqualTo(micros - offset.getTotalSeconds() * 1_000_000L);
            assertThat(micros(text + offset)).as(text + offset).isEqualTo(TimeText.NO_TIME);
            assertThat(micros(text + "-08", "UTC")).as(text).isEqualTo(micros + 28_800_000_000L);
            assertThat(micros(text + "+0130", "UTC")).as(text).isEqualTo(micros - 5_400_000_000L);
            assertThat(micros(text, "Europe/Berlin"))
                    .as(text)
                    .isEqualTo(time.atZone(ZoneId.of("Europe/Berlin")).toEpochSecond() * 1_000_000
                            + time.get(ChronoField.MICRO_OF_SECOND));
        }
        assertThat(micros("2024-01-01")).isEqualTo(1_704_067_200_000_000L);
        assertThat(micros("2024-01-01", "Asia/Tokyo")).isEqualTo(1_704_067_200_000_000L - 9 * 3_600_000_000L);
    }

    @Test
    void clocksThatLeapAndClocksThatShowATimeTwice() {
        for (String text : List.of("2024-03-31T02:30:00", "2024-10-27T02:30:00")) {
            assertThat(micros(text, "Europe/Berlin"))
                    .as(text)
                    .isEqualTo(LocalDateTime.parse(text)
                                    .atZone(ZoneId.of("Europe/Berlin"))
                                    .toEpochSecond()
                            * 1_000_000);
        }
    }

    @Test
    void timestampsThatAreNone() {
        for (String text : List.of(
                "2024-01-01 24:00:00",
                "2024-01-01 1:00",
                "2024-01-01T13",
                "2024-01-01x10:00",
                "2024-01-01 10:00:00.",
                "2024-01-01 10:00:00.1234567",
                "2024-01-01 10:00:60",
                "2024-01-01 10:60",
                "2024-01-01 10:00:00 ",
                "2024-01-01T",
                "")) {
            assertThat(micros(text)).as(text).isEqualTo(TimeText.NO_TIME);
            assertThat(micros(text, "UTC")).as(text).isEqualTo(TimeText.NO_TIME);
        }
        for (String text : List.of(
                "2024-01-01Z",
                "2024-01-01+01:00",
                "2024-01-01 10:00:00+18:01",
                "2024-01-01 10:00:00+19",
                "2024-01-01 10:00:00+1",
                "2024-01-01 10:00:00+01:60",
                "2024-01-01 10:00:00+01:00:60",
                "2024-01-01 10:00:00ZZ",
                "2024-01-01 10:00:00Z+01",
                "2024-01-01T13Z",
                "2024-01-01T13+01:00",
                "2024-01-01 10:00:00 +01:00")) {
            assertThat(micros(text, "UTC")).as(text).isEqualTo(TimeText.NO_TIME);
        }
        assertThat(micros("2024-01-01 10:00:00+18:00", "UTC")).isEqualTo(micros("2023-12-31 16:00:00", "UTC"));
    }

    @Test
    void digitsBeyondTheUnitMustBeZero() {
        assertThat(TimeText.timestamp(bytes, 3, put("2024-01-01 00:00:00.5"), TimeUnit.SECOND, null))
                .isEqualTo(TimeText.NO_TIME);
        assertThat(TimeText.timestamp(bytes, 3, put("2024-01-01 00:00:00.000"), TimeUnit.SECOND, null))
                .isEqualTo(1_704_067_200L);
        assertThat(micros("2024-01-01 00:00:00.1230000000000")).isEqualTo(1_704_067_200_123_000L);
        assertThat(micros("2024-01-01 00:00:00.1230000000001")).isEqualTo(TimeText.NO_TIME);
        assertThat(TimeText.timestamp(bytes, 3, put("2300-01-01"), TimeUnit.NANOSECOND, null))
                .isEqualTo(TimeText.NO_TIME);
        assertThat(TimeText.timeOfDay(bytes, 3, put("13:45:30.25"), TimeUnit.MILLISECOND))
                .isEqualTo(49_530_250);
        assertThat(TimeText.timeOfDay(bytes, 3, put("13:45"), TimeUnit.SECOND)).isEqualTo(49_500);
        assertThat(TimeText.timeOfDay(bytes, 3, put("13:45:30.25"), TimeUnit.SECOND))
                .isEqualTo(TimeText.NO_TIME);
        assertThat(TimeText.timeOfDay(bytes, 3, put("13"), TimeUnit.SECOND)).isEqualTo(TimeText.NO_TIME);
    }
}
