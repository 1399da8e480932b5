package dev.millrace.internal.models.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// The rules of a tokeniser, as its file defines them. Immutable; any thread.
///
/// @param unknown the id of a word that cannot be split into pieces
/// @param padding the id used for padding
/// @param prefix the ids before those of the text: `[CLS]`
/// @param suffix the ids after those of the text: `[SEP]`
/// @param special tokens that are matched literally in a text
/// @param mostCharacters words with more characters are unknown
/// @param maxLength the maximum number of ids of a text, including prefix and suffix
public record WordPieceRules(
        WordPieceVocabulary vocabulary,
        boolean clean,
        boolean splitIdeographs,
        boolean stripAccents,
        boolean lowerCase,
        int unknown,
        int padding,
        List<Integer> prefix,
        List<Integer> suffix,
        List<Special> special,
        int mostCharacters,
        int maxLength) {

    /// A token that is matched before normalisation.
    public record Special(byte[] bytes, int id) {}

    static List<Special> special(Map<String, Integer> tokens) {
        return tokens.entrySet().stream()
                .map(token -> new Special(token.getKey().getBytes(StandardCharsets.UTF_8), token.getValue()))
                .toList();
    }

    public WordPieceRules withMaxLength(int most) {
        return new WordPieceRules(
                vocabulary,
                clean,
                splitIdeographs,
                stripAccents,
                lowerCase,
                unknown,
                padding,
                prefix,
                suffix,
                special,
                mostCharacters,
                most);
    }
}
