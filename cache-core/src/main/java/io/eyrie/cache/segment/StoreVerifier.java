package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.segment.PageProof.Found;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/** Reads all pages of a directory, and reads those that look damaged a second time. Used once, by one thread. */
final class StoreVerifier
{
    /*
     * Order     by segment and slot, so that the disk reads sequentially.
     * Again     While an owner is running, a slot may hold another page than the journal recorded. If the journal, read once more, still has that
     *           page there, and the page is still invalid, it is damaged.
     */
    private final Opener opener;
    private long pages;
    private long granules;
    private long bytes;
    private long unchecked;
    private long changed;

    /** Reads the present state of the directory. */
    interface Opener
    {
        StoreInspection open()
                throws IOException;
    }

    private record Suspect(long fingerprint, int location, long generation)
    {}

    StoreVerifier(Opener opener)
    {
        this.opener = opener;
    }

    Verification run(Runnable beforeSecondLook, LongConsumer progress)
            throws IOException
    {
        List<Suspect> suspects;
        List<Verification.BrokenFile> broken;
        try (StoreInspection store = opener.open()) {
            suspects = lookAtAll(store, progress);
            broken = brokenFiles(store);
            if (suspects.isEmpty() && broken.isEmpty() && store.recovery().whole()) {
                return new Verification(pages, granules, bytes, unchecked, changed, List.of(), List.of(), store.recovery());
            }
        }
        beforeSecondLook.run();
        try (StoreInspection store = opener.open()) {
            List<Verification.Damage> damages = lookAgain(store, suspects);
            // a segment that was deleted after the journal was read is in only one of the two
            List<Verification.BrokenFile> stillBroken = brokenFiles(store).stream().filter(broken::contains).toList();
            return new Verification(pages, granules, bytes, unchecked, changed, damages, stillBroken, store.recovery());
        }
    }

    private static List<Verification.BrokenFile> brokenFiles(StoreInspection store)
    {
        List<Verification.BrokenFile> broken = new ArrayList<>();
        for (StoredSegment segment : store.segments()) {
            long mostBytes = (long) segment.slots() * segment.slotBytes();
            if (segment.fileBytes().isEmpty()) {
                broken.add(new Verification.BrokenFile(segment.file(), "it is missing"));
            }
            else if (segment.fileBytes().getAsLong() > mostBytes) {
                broken.add(new Verification.BrokenFile(segment.file(), "it is longer than its slots, " + mostBytes + " bytes"));
            }
        }
        return broken;
    }

    private List<Suspect> lookAtAll(StoreInspection store, LongConsumer progress)
    {
        PageIndex index = store.state().index();
        PageProof proof = new PageProof(store.layout());
        List<Suspect> suspects = new ArrayList<>();
        for (long located : inOrder(store.state())) {
            int entry = (int) located;
            Segment segment = store.segment(entry);
            if (segment == null) {
                continue;
            }
            Found found = check(proof, index, segment, entry);
            pages++;
            granules += Long.bitCount(index.granules(entry));
            bytes += segment.slotBytes();
            unchecked += found.unchecked() ? 1 : 0;
            if (!found.isGood()) {
                suspects.add(new Suspect(index.fingerprint(entry), index.location(entry), segment.generation()));
            }
            progress.accept(bytes);
        }
        return suspects;
    }

    /** Returns the entries sorted by location: the location in the upper half, the entry in the lower. */
    private static long[] inOrder(StoreState state)
    {
        long[] located = new long[state.index().size()];
        int[] count = new int[1];
        state.forEachLive(entry -> {
            located[count[0]] = (long) state.index().location(entry) << Integer.SIZE | entry;
            count[0]++;
        });
        Arrays.sort(located, 0, count[0]);
        return Arrays.copyOf(located, count[0]);
    }

    private static Found check(PageProof proof, PageIndex index, Segment segment, int entry)
    {
        return proof.check(segment, index.location(entry), index.fingerprint(entry), index.lengthBytes(entry), index.granules(entry));
    }

    private List<Verification.Damage> lookAgain(StoreInspection store, List<Suspect> suspects)
    {
        StoreState state = store.state();
        PageIndex index = state.index();
        PageProof proof = new PageProof(store.layout());
        List<Verification.Damage> damages = new ArrayList<>();
        for (Suspect suspect : suspects) {
            int entry = index.find(suspect.fingerprint);
            Segment segment = entry == PageIndex.NONE ? null : store.segment(entry);
            boolean same = segment != null
                    && segment.generation() == suspect.generation
                    && index.location(entry) == suspect.location
                    && !state.isDead(entry);
            Found found = same && segment != null ? check(proof, index, segment, entry) : null;
            if (found == null || segment == null || found.isGood()) {
                changed++;
            }
            else {
                damages.add(new Verification.Damage(
                        state.scopes().scope(index.scope(entry)),
                        state.path(segment),
                        (long) Segment.slotOf(suspect.location) * segment.slotBytes(),
                        index.lengthBytes(entry),
                        Long.bitCount(found.bad()),
                        words(found.outcome())));
            }
        }
        return damages;
    }

    private static String words(DeviceOutcome outcome)
    {
        return switch (outcome) {
            case OK -> "its bytes do not verify";
            case END_OF_FILE -> "its segment's file ends before it";
            case MISSING -> "its segment's file is missing";
            case DENIED -> "this user may not read its segment's file";
            default -> "reading it failed: " + outcome;
        };
    }
}
