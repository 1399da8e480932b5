package dev.millrace.internal.wording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SecretTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        there is no 'http://me:hunter2@host:80/x'.          | there is no 'http://***@host:80/x'.
        https://ghp_hunter2@github.com/x                    | https://***@github.com/x
        ftp://me:hunt@er2@host/a@b                          | ftp://***@host/a@b
        s3://minio@bucket/key                               | s3://minio@bucket/key
        s3://id:hunter2@bucket/key                          | s3://***@bucket/key
        http://host/a@b?x=1                                 | http://host/a@b?x=1
        for jdbc:postgresql://h/db?user=me&password=hunter2 | for jdbc:postgresql://h/db?user=me&password=***
        jdbc:mysql://me:hunter2@h:3306/db                   | jdbc:mysql://***@h:3306/db
        jdbc:oracle:thin:scott/hunter2@//h:1521/x           | jdbc:oracle:thin:***@//h:1521/x
        jdbc:oracle:thin:@//h:1521/x                        | jdbc:oracle:thin:@//h:1521/x
        jdbc:h2:mem:x;USER=sa;PASSWORD=hunter2;A=1          | jdbc:h2:mem:x;USER=sa;PASSWORD=***;A=1
        jdbc:sqlserver://h;trustStorePassword={hu;nter2};b  | jdbc:sqlserver://h;trustStorePassword=***;b
        Csv(http://h/x.csv?password=hunt,er2), 3 rows       | Csv(http://h/x.csv?password=***), 3 rows
        'https://b/k?X-Amz-Signature=hunter2&X-Amz-Date=1'  | 'https://b/k?X-Amz-Signature=***&X-Amz-Date=1'
        https://h/x?sig=hunter2&se=1                        | https://h/x?sig=***&se=1
        host=h password='hunter 2' dbname=d                 | host=h password=*** dbname=d
        max_tokens=128, key = 3, password = secret          | max_tokens=128, key = 3, password = secret
        """)
    void passwordsAndKeysAreHiddenAndAllElseIsShown(String text, String shown) {
        assertThat(SecretText.hide(text)).isEqualTo(shown);
    }

    @Test
    void theNameOfADatabaseHasNoParametersAndNoUser() {
        assertThat(SecretText.databaseName("jdbc:postgresql://me:hun/ter2@h/db?x=1"))
                .isEqualTo("jdbc:postgresql://h/db");
        assertThat(SecretText.databaseName("jdbc:oracle:thin:scott/hunter2@//h:1521/x"))
                .isEqualTo("jdbc:oracle:thin:***@//h:1521/x");
        assertThat(SecretText.databaseName("jdbc:h2:mem:x;PASSWORD=hunter2")).isEqualTo("jdbc:h2:mem:x");
    }

    private static String all(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void causesShowNoSecretsAndKeepWhatTheyAre() {
        SQLException driver = new SQLException("no jdbc:x://h?password=hunter2", "08001", 7);
        MillraceException told = new MillraceException(
                Culprit.RESOURCES, "failed: " + driver.getMessage(), new IOException(driver.getMessage(), driver));
        assertThat(all(told)).doesNotContain("hunter2").contains("password=***");
        assertThat(told.getCause()).isExactlyInstanceOf(IOException.class);
        assertThat(told.getCause().getCause()).isInstanceOfSatisfying(SQLException.class, sql -> {
            assertThat(sql.getSQLState()).isEqualTo("08001");
            assertThat(sql.getErrorCode()).isEqualTo(7);
            assertThat(sql.getStackTrace()).isEqualTo(driver.getStackTrace());
        });
        assertThat(new MillraceException(Culprit.DATA, "x", new LastingIOException("http://a:b@c", null)).getCause())
                .isInstanceOf(LastingIOException.class)
                .hasMessage("http://***@c");
        NoSuchFileException gone = new NoSuchFileException("out/pwd=1/x");
        assertThat(new MillraceException(Culprit.RESOURCES, "x", gone).getCause())
                .isSameAs(gone);
        IOException plain = new IOException("nothing in it");
        assertThat(new MillraceException(Culprit.DATA, "x", plain).getCause()).isSameAs(plain);
    }
}
