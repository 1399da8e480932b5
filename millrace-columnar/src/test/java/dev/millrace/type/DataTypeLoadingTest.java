package dev.millrace.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DataTypeLoadingTest {

    /// One thread makes the constants, and another one, before that has come to the integers, makes an integer type of
    /// its own. The initialisation of a class begins with those of its interfaces that have default methods. Were
    /// `DataType` one of them, the second thread would wait for the first, which then waits for the second.
    @Test
    void aTypeIsMadeWhileAnotherThreadMakesTheConstants() throws Exception {
        FreshTypes types = new FreshTypes();
        assertThat(Class.forName(DataType.class.getName(), true, types)).isNotSameAs(DataType.class);
        assertThat(types.madeMeanwhile).isTrue();
    }

    /// Loads the types anew, and has another thread initialise `Int` when the first constant, `NULL`, is made.
    private static final class FreshTypes extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        private boolean madeMeanwhile;

        FreshTypes() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(DataType.Null.class.getName())) {
                Thread other = Thread.ofPlatform().daemon().start(() -> initialise(DataType.Int.class.getName()));
                try {
                    madeMeanwhile = other.join(Duration.ofSeconds(20));
                } catch (InterruptedException e) {
                    throw new ClassNotFoundException(name, e);
                }
                if (!madeMeanwhile) {
                    throw new ClassNotFoundException("the other thread waits");
                }
            }
            String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
            try (InputStream in = DataType.class.getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private void initialise(String name) {
            try {
                Class.forName(name, true, this);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
