package dev.millrace.internal.models.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against Hugging Face's tokenizers, by the same file.
class WordPieceTest {
    /// Characters that Java decomposes or has in lower case, and Hugging Face's tables do not know yet.
    private static final BitSet NEWER = new BitSet();

    static {
        for (int c : new int[] {
            0x105C9, 0x105E4, 0x11383, 0x11385, 0x1138E, 0x11391, 0x16D68, 0x16D69, 0x16D6A, 0x113C5, 0x113C7, 0x113C8,
            0x11938, 0xA7CE, 0xA7D2, 0xA7D4
        }) {
            NEWER.set(c);
        }
        NEWER.set(0x16EA0, 0x16EB9);
    }

    private static final String AS_IS =
            "\"clean_text\":true,\"handle_chinese_chars\":true,\"strip_accents\":null,\"lowercase\":true";

    @TempDir
    Path folder;

    @Test
    void everyTextHasTheTokensThatHuggingFaceGivesIt() throws Exception {
        long seed = Seeds.seed();
        List<String> texts = new RandomTexts(seed, NEWER).take(6000);
        for (int c = 1; c < 0x323B0; c++) {
            if ((c < 0xD800 || c > 0xDFFF) && !NEWER.get(c)) {
                texts.add("ab" + Character.toString(c) + "cd");
            }
        }
        for (int c = 0xE0000; c < 0xE0200; c++) {
            texts.add("ab" + Character.toString(c) + "cd");
        }
        compare(seed, texts, Map.of("as it is", tokenizer()));
    }

    @Test
    void everySettingOfTheFileIsFollowed() throws Exception {
        String file =
                tokenizer().replaceAll("\\s+(?=\"(clean_text|handle_chinese_chars|strip_accents|lowercase)\")", "");
        file = file.replaceAll("(\"(?:clean_text|handle_chinese_chars|strip_accents|lowercase)\"):\\s+", "$1:");
        assertThat(file).contains(AS_IS);
        Map<String, String> files = new LinkedHashMap<>();
        for (String setting : List.of(
                "\"clean_text\":false,\"handle_chinese_chars\":true,\"strip_accents\":null,\"lowercase\":true",
                "\"clean_text\":true,\"handle_chinese_chars\":false,\"strip_accents\":null,\"lowercase\":true",
                "\"clean_text\":true,\"handle_chinese_chars\":true,\"strip_accents\":false,\"lowercase\":true",
                "\"clean_text\":true,\"handle_chinese_chars\":true,\"strip_accents\":true,\"lowercase\":false",
                "\"clean_text\":true,\"handle_chinese_chars\":true,\"strip_accents\":null,\"lowercase\":false")) {
            files.put(setting, file.replace(AS_IS, setting));
        }
        files.put("40 tokens", file.replaceAll("\"max_length\":\\s*128", "\"max_length\":40"));
        files.put("words of 20", file.replaceAll("(\"max_input_chars_per_word\":)\\s*100", "$120"));
        long seed = Seeds.seed();
        compare(seed, new RandomTexts(seed, NEWER).take(1500), files);
    }

    private void compare(long seed, List<String> texts, Map<String, String> files) throws Exception {
        Path input = folder.resolve("texts.json");
        StringBuilder json = new StringBuilder("[");
        for (String text : texts) {
            json.append(json.length() == 1 ? "\"" : ",\"");
            text.codePoints().forEach(c -> {
                if (c < ' ' || c == '"' || c == '\\') {
                    json.append(String.format("\\u%04x", c));
                } else {
                    json.appendCodePoint(c);
                }
            });
            json.append('"');
        }
        Files.writeString(input, json.append(']'));
        List<String> arguments = new ArrayList<>(List.of(input.toString()));
        for (String file : files.values()) {
            Path path = folder.resolve("tokenizer-" + arguments.size() + ".json");
            arguments.add(Files.writeString(path, file).toString());
        }
        Python.environment("text").run(WordPieceTest.class, "tokenize.py", arguments.toArray(String[]::new));
        int at = 1;
        for (Map.Entry<String, String> file : files.entrySet()) {
            IntBuffer expected = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments.get(at++) + ".ids")))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer();
            WordPieceRules rules = TokenizerFile.read("a.json", file.getValue().getBytes(StandardCharsets.UTF_8));
            WordPieceEncoder encoder = new WordPieceEncoder(rules);
            for (String text : texts) {
                int[] ids = new int[expected.get()];
                expected.get(ids);
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                int count = encoder.encode(bytes, 0, bytes.length);
                if (!Arrays.equals(ids, Arrays.copyOf(encoder.ids(), count))) {
                    assertThat(words(rules, Arrays.copyOf(encoder.ids(), count)))
                            .as("%s: %s (%s), seed %d", file.getKey(), text, escaped(text), seed)
                            .isEqualTo(words(rules, ids));
                }
            }
            assertThat(expected.hasRemaining()).isFalse();
        }
    }

    private static List<String> words(WordPieceRules rules, int[] ids) {
        return Arrays.stream(ids).mapToObj(id -> rules.vocabulary().piece(id)).toList();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> escaped.append(Integer.toHexString(c)).append(' '));
        return escaped.toString();
    }

    private static String tokenizer() throws Exception {
        try (InputStream in = WordPieceTest.class.getResourceAsStream("/all-minilm-l6-v2-tokenizer.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aVocabularyOfLinesIsATokeniser() throws Exception {
        WordPieceRules all = TokenizerFile.read("a.json", tokenizer().getBytes(StandardCharsets.UTF_8));
        StringBuilder lines = new StringBuilder();
        for (int id = 0; id < all.vocabulary().size(); id++) {
            lines.append(all.vocabulary().piece(id)).append('\n');
        }
        WordPieceRules rules = TokenizerFile.read("vocab.txt", lines.toString().getBytes(StandardCharsets.UTF_8));
        WordPieceEncoder encoder = new WordPieceEncoder(rules);
        byte[] text = "Embeddings are naïve.".getBytes(StandardCharsets.UTF_8);
        int count = encoder.encode(text, 0, text.length);
        assertThat(words(rules, Arrays.copyOf(encoder.ids(), count)))
                .containsExactly("[CLS]", "em", "##bed", "##ding", "##s", "are", "naive", ".", "[SEP]");
        assertThat(rules.maxLength()).isEqualTo(512);
    }

    @Test
    void otherTokenisersAreRefusedByName() {
        assertThatThrownBy(() -> read("{\"model\":{\"type\":\"BPE\"},\"normalizer\":{},\"pre_tokenizer\":{}}"))
                .isInstanceOf(MillraceException.class)
                .hasMessage(
                        "The tokeniser 'a.json' has a model of type 'BPE'. Only tokenisers of BERT's kind are supported:"
                                + " WordPiece.");
        assertThatThrownBy(() -> read("{}")).hasMessage("The tokeniser 'a.json' should have an object at model.");
        assertThatThrownBy(() -> read("{")).hasMessageStartingWith("The tokeniser 'a.json' is no JSON: ");
        assertThatThrownBy(() -> TokenizerFile.read("vocab.txt", "a\nb\n".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("The tokeniser 'vocab.txt' has no piece [PAD].");
    }

    private static void read(String json) {
        TokenizerFile.read("a.json", json.getBytes(StandardCharsets.UTF_8));
    }
}
