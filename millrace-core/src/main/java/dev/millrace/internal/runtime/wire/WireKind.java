package dev.millrace.internal.runtime.wire;

/// The first byte of a message.
enum WireKind {
    SUBMIT,
    GRANT,
    CANCEL,
    BEGIN,
    RECALL,
    START_ACTOR,
    STOP_ACTOR,
    PROGRAM_PART,
    FORGET_PARTS,
    RELEASE_BLOCKS,
    NODE_JOINED,
    NODE_LOST,
    KEEP_SHUFFLES,
    ASK_WHEREABOUTS,
    WELCOME,
    READY,
    PAUSED,
    ENDED,
    ACTOR_STATE,
    WHEREABOUTS,
    SHUFFLES_KEPT,
    WANT_LINKS,
    PULSE,
    ATTACHMENT,
    BYE;

    private static final WireKind[] ALL = values();

    static WireKind of(WireMessage message) {
        return switch (message) {
            case WireMessage.Submit _ -> SUBMIT;
            case WireMessage.Grant _ -> GRANT;
            case WireMessage.Cancel _ -> CANCEL;
            case WireMessage.Begin _ -> BEGIN;
            case WireMessage.Recall _ -> RECALL;
            case WireMessage.StartActor _ -> START_ACTOR;
            case WireMessage.StopActor _ -> STOP_ACTOR;
            case WireMessage.ProgramPart _ -> PROGRAM_PART;
            case WireMessage.ForgetParts _ -> FORGET_PARTS;
            case WireMessage.ReleaseBlocks _ -> RELEASE_BLOCKS;
            case WireMessage.NodeJoined _ -> NODE_JOINED;
            case WireMessage.NodeLost _ -> NODE_LOST;
            case WireMessage.KeepShuffles _ -> KEEP_SHUFFLES;
            case WireMessage.AskWhereabouts _ -> ASK_WHEREABOUTS;
            case WireMessage.Welcome _ -> WELCOME;
            case WireMessage.Ready _ -> READY;
            case WireMessage.Paused _ -> PAUSED;
            case WireMessage.Ended _ -> ENDED;
            case WireMessage.ActorState _ -> ACTOR_STATE;
            case WireMessage.Whereabouts _ -> WHEREABOUTS;
            case WireMessage.ShufflesKept _ -> SHUFFLES_KEPT;
            case WireMessage.WantLinks _ -> WANT_LINKS;
            case WireMessage.Pulse _ -> PULSE;
            case WireMessage.Attachment _ -> ATTACHMENT;
            case WireMessage.Bye _ -> BYE;
        };
    }

    /// @throws IllegalArgumentException for a byte that is none
    static WireKind of(int first) {
        if (first < 0 || first >= ALL.length) {
            throw new IllegalArgumentException("no message begins with byte " + first);
        }
        return ALL[first];
    }
}
