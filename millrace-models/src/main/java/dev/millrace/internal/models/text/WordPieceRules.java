package dev.millrace.internal.models.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// What one tokeniser does with a text, as its file says. Immutable; any thread.
///
/// @param unknown the number of a word that cannot be made of pieces
/// @param padding the number that fills up
/// @param prefix numbers before the text's: [CLS]
/// @param suffix numbers behind the text's: [SEP]
/// @param special tokens that are taken as they stand in a text
/// @param mostCharacters longer words are unknown
/// @param maxLength numbers of one text at most, the prefix and suffix counted
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

    /// A token that no normalisation touches.
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
