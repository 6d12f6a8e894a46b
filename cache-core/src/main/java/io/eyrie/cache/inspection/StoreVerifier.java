// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.segment.StoredSegment;
import io.eyrie.cache.segment.StoredUnit;
import io.eyrie.cache.segment.UnitVerifier;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Reads all pages of a directory, and reads those that look damaged a second time. Used once, by one thread. */
final class StoreVerifier
{
    /*
     * Again     While an owner is running, a slot may hold another page than the journal recorded. If the journal, read once more, still has that
     *           page there, and the page is still invalid, it is damaged.
     */
    private final Opener opener;
    private long pages;
    private long granules;
    private long bytes;
    private long changed;

    /** Reads the present state of the directory. */
    interface Opener
    {
        StoreInspection open()
                throws IOException;
    }

    private record Suspect(long fingerprint, int location, long generation)
    {
        static Suspect of(StoredUnit unit)
        {
            return new Suspect(unit.fingerprint(), unit.location(), unit.generation());
        }
    }

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
                return new Verification(pages, granules, bytes, changed, List.of(), List.of(), store.recovery());
            }
        }
        beforeSecondLook.run();
        try (StoreInspection store = opener.open()) {
            List<Verification.Damage> damages = lookAgain(store, suspects);
            // a segment that was deleted after the journal was read is in only one of the two
            List<Verification.BrokenFile> stillBroken = brokenFiles(store).stream().filter(broken::contains).toList();
            return new Verification(pages, granules, bytes, changed, damages, stillBroken, store.recovery());
        }
    }

    private static List<Verification.BrokenFile> brokenFiles(StoreInspection store)
    {
        List<Verification.BrokenFile> broken = new ArrayList<>();
        for (StoredSegment segment : store.segments()) {
            if (segment.fileBytes().isEmpty()) {
                broken.add(new Verification.BrokenFile(segment.file(), "it is missing"));
            }
            else if (segment.fileBytes().getAsLong() > segment.mostFileBytes()) {
                broken.add(new Verification.BrokenFile(segment.file(), "it is longer than its slots, " + segment.mostFileBytes() + " bytes"));
            }
        }
        return broken;
    }

    private List<Suspect> lookAtAll(StoreInspection store, LongConsumer progress)
    {
        UnitVerifier verifier = new UnitVerifier(store.layout());
        List<Suspect> suspects = new ArrayList<>();
        store.state().forEachUnitByLocation(unit -> {
            pages++;
            granules += Long.bitCount(unit.granules());
            bytes += unit.slotBytes();
            if (!verifier.verify(unit).isGood()) {
                suspects.add(Suspect.of(unit));
            }
            progress.accept(bytes);
        });
        return suspects;
    }

    private List<Verification.Damage> lookAgain(StoreInspection store, List<Suspect> suspects)
    {
        UnitVerifier verifier = new UnitVerifier(store.layout());
        List<Verification.Damage> damages = new ArrayList<>();
        for (Suspect suspect : suspects) {
            Optional<StoredUnit> unit = store.state().find(suspect.fingerprint).filter(found -> Suspect.of(found).equals(suspect));
            Optional<Verification.Damage> damage = unit.flatMap(found -> damage(found, verifier.verify(found)));
            damage.ifPresentOrElse(damages::add, () -> changed++);
        }
        return damages;
    }

    private static Optional<Verification.Damage> damage(StoredUnit unit, UnitVerifier.Result found)
    {
        return found.isGood()
                ? Optional.empty()
                : Optional.of(new Verification.Damage(
                        unit.tags().scope(),
                        unit.file(),
                        unit.offsetBytes(),
                        unit.lengthBytes(),
                        Long.bitCount(found.bad()),
                        words(found)));
    }

    private static String words(UnitVerifier.Result found)
    {
        return switch (found.outcome()) {
            case OK -> found.identified() ? "its bytes do not verify" : "its slot's header does not name it";
            case END_OF_FILE -> "its segment's file ends before it";
            case MISSING -> "its segment's file is missing";
            case DENIED -> "this user may not read its segment's file";
            default -> "reading it failed: " + found.outcome();
        };
    }
}
