package dev.millrace.internal.models.text;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads tokeniser files: Hugging Face's `tokenizer.json`, and the older `vocab.txt` with one piece per line. Unknown
/// settings are rejected by name, never ignored.
public final class TokenizerFile {
    /// BERT's limit, used if a file has none.
    private static final int MAX_LENGTH = 512;

    private static final int MAX_CHARACTERS = 100;
    private static final List<String> SPECIAL = List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]");

    private final String name;

    private TokenizerFile(String name) {
        this.name = name;
    }

    /// @param name the file name; used in errors, and `.txt` marks a vocabulary
    /// @throws MillraceException culprit USER, if it is not a BERT tokeniser
    public static WordPieceRules read(String name, byte[] content) {
        TokenizerFile file = new TokenizerFile(name);
        if (name.endsWith(".txt")) {
            return file.vocabulary(content);
        }
        Object parsed;
        try {
            parsed = JsonText.parse(content);
        } catch (IllegalArgumentException e) {
            throw file.wrong("is no JSON: " + e.getMessage());
        }
        return file.rules(file.object(parsed, "the file"));
    }

    /// The defaults of Hugging Face's BertTokenizer: lower case, without accents.
    private WordPieceRules vocabulary(byte[] content) {
        List<String> pieces = Arrays.asList(
                new String(content, StandardCharsets.UTF_8).stripTrailing().split("\r?\n", -1));
        Map<String, Integer> special = new LinkedHashMap<>();
        for (String token : SPECIAL) {
            int id = pieces.indexOf(token);
            if (id < 0) {
                throw wrong("has no piece " + token + ".");
            }
            special.put(token, id);
        }
        return new WordPieceRules(
                new WordPieceVocabulary(pieces, "##"),
                true,
                true,
                true,
                true,
                Objects.requireNonNull(special.get("[UNK]")),
                Objects.requireNonNull(special.get("[PAD]")),
                List.of(special.get("[CLS]")),
                List.of(special.get("[SEP]")),
                WordPieceRules.special(special),
                MAX_CHARACTERS,
                MAX_LENGTH);
    }

    private WordPieceRules rules(Map<?, ?> file) {
        Map<?, ?> model = object(file.get("model"), "model");
        Map<?, ?> normalizer = object(file.get("normalizer"), "normalizer");
        Map<?, ?> words = object(file.get("pre_tokenizer"), "pre_tokenizer");
        require(model, "model", "WordPiece");
        require(normalizer, "normalizer", "BertNormalizer");
        require(words, "pre_tokenizer", "BertPreTokenizer");
        Map<String, Integer> special = special(file.get("added_tokens"));
        List<String> pieces = pieces(object(model.get("vocab"), "model.vocab"), special);
        boolean lowerCase = flag(normalizer, "lowercase", true);
        int unknown = pieces.indexOf(String.valueOf(model.get("unk_token")));
        if (unknown < 0) {
            throw wrong("has no piece for unknown words: '" + model.get("unk_token") + "'.");
        }
        List<Integer> prefix = new ArrayList<>();
        List<Integer> suffix = new ArrayList<>();
        around(file.get("post_processor"), prefix, suffix);
        Map<?, ?> padding = file.get("padding") instanceof Map<?, ?> given ? given : Map.of();
        Map<?, ?> truncation = file.get("truncation") instanceof Map<?, ?> given ? given : Map.of();
        return new WordPieceRules(
                new WordPieceVocabulary(pieces, Objects.toString(model.get("continuing_subword_prefix"), "##")),
                flag(normalizer, "clean_text", true),
                flag(normalizer, "handle_chinese_chars", true),
                flag(normalizer, "strip_accents", lowerCase),
                lowerCase,
                unknown,
                number(padding, "pad_id", special.getOrDefault("[PAD]", 0)),
                List.copyOf(prefix),
                List.copyOf(suffix),
                WordPieceRules.special(special),
                number(model, "max_input_chars_per_word", MAX_CHARACTERS),
                number(truncation, "max_length", MAX_LENGTH));
    }

    private List<String> pieces(Map<?, ?> vocabulary, Map<String, Integer> special) {
        Map<String, Integer> all = new LinkedHashMap<>();
        vocabulary.forEach((piece, id) -> all.put((String) piece, number(vocabulary, piece, -1)));
        all.putAll(special);
        int size = all.values().stream().mapToInt(id -> id + 1).max().orElse(0);
        if (size > 10_000_000) {
            throw wrong("numbers its pieces up to " + (size - 1) + ", which is too far.");
        }
        List<String> pieces = new ArrayList<>(Collections.nCopies(size, null));
        all.forEach((piece, id) -> {
            if (id < 0) {
                throw wrong("gives the piece '" + piece + "' the number " + id + ".");
            }
            pieces.set(id, piece);
        });
        return pieces;
    }

    private Map<String, Integer> special(@Nullable Object added) {
        Map<String, Integer> special = new LinkedHashMap<>();
        if (added instanceof List<?> tokens) {
            for (Object element : tokens) {
                Map<?, ?> token = object(element, "added_tokens");
                String content = String.valueOf(token.get("content"));
                if (flag(token, "normalized", false) || flag(token, "single_word", false) || content.isEmpty()) {
                    throw wrong("has an added token '" + content
                            + "' that is looked for in normalised text or between words, which is not supported.");
                }
                special.put(content, number(token, "id", -1));
            }
        }
        return special;
    }

    /// Collects the token ids that precede and follow a text.
    private void around(@Nullable Object processor, List<Integer> prefix, List<Integer> suffix) {
        if (processor == null) {
            return;
        }
        Map<?, ?> post = object(processor, "post_processor");
        switch (String.valueOf(post.get("type"))) {
            case "BertProcessing" -> {
                prefix.add(second(post.get("cls")));
                suffix.add(second(post.get("sep")));
            }
            case "TemplateProcessing" -> {
                Map<?, ?> tokens = object(post.get("special_tokens"), "post_processor.special_tokens");
                List<Integer> target = prefix;
                for (Object element : list(post.get("single"), "post_processor.single")) {
                    Map<?, ?> part = object(element, "post_processor.single");
                    if (part.containsKey("Sequence")) {
                        target = suffix;
                        continue;
                    }
                    Object id = object(part.get("SpecialToken"), "post_processor.single")
                            .get("id");
                    for (Object number :
                            list(object(tokens.get(id), "special token " + id).get("ids"), "its ids")) {
                        target.add(integer(number, "its ids"));
                    }
                }
            }
            default ->
                throw wrong("has a post_processor of type '" + post.get("type")
                        + "'; BertProcessing and TemplateProcessing are supported.");
        }
    }

    private int second(@Nullable Object pair) {
        List<?> values = list(pair, "post_processor");
        if (values.size() != 2) {
            throw wrong("should have a token and its number in post_processor.");
        }
        return integer(values.get(1), "post_processor");
    }

    private void require(Map<?, ?> part, String where, String type) {
        // Old files have no type for the model: WordPiece was the only one with such a prefix.
        Object given = part.containsKey("type") || !part.containsKey("continuing_subword_prefix")
                ? part.get("type")
                : "WordPiece";
        if (!type.equals(given)) {
            throw wrong("has a " + where + " of type '" + given + "'. Only tokenisers of BERT's kind are supported: "
                    + type + ".");
        }
    }

    private Map<?, ?> object(@Nullable Object value, String where) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw wrong("should have an object at " + where + ".");
    }

    private List<?> list(@Nullable Object value, String where) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong("should have an array at " + where + ".");
    }

    private boolean flag(Map<?, ?> part, String key, boolean otherwise) {
        return part.get(key) == null ? otherwise : Boolean.TRUE.equals(part.get(key));
    }

    private int number(Map<?, ?> part, Object key, int otherwise) {
        return part.get(key) == null ? otherwise : integer(part.get(key), String.valueOf(key));
    }

    private int integer(Object value, String where) {
        if (value instanceof Long number && number >= 0 && number < Integer.MAX_VALUE) {
            return number.intValue();
        }
        throw wrong("should have a number at " + where + ", not " + value + ".");
    }

    private MillraceException wrong(String what) {
        return MillraceException.user("The tokeniser '" + name + "' " + what);
    }
}
