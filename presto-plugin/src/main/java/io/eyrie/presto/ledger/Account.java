// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import io.eyrie.cache.page.MissCause;

import java.util.List;

import static java.util.Objects.requireNonNull;

/** Records the work of one layer for one caller, in all tallies that show it. Thread-safe. */
public final class Account
{
    private final List<Tally> tallies;
    private final boolean otherVersion;
    private final Savings.TableSavings savings;

    /** @param otherVersion whether another version of the file was seen before */
    Account(List<Tally> tallies, boolean otherVersion, Savings.TableSavings savings)
    {
        this.savings = requireNonNull(savings, "savings is null");
        this.tallies = List.copyOf(tallies);
        this.otherVersion = otherVersion;
    }

    public void hits(long count, long bytes)
    {
        tallies.forEach(tally -> tally.hits(count, bytes));
    }

    public void misses(MissReason reason, long count, long bytes)
    {
        MissReason known = reason == MissReason.NEVER_SEEN && otherVersion ? MissReason.OTHER_VERSION : reason;
        tallies.forEach(tally -> tally.misses(known, count, bytes));
    }

    /** Gives one miss that is counted under a reason, before or after this call, another reason. */
    public void correct(MissReason counted, MissReason actual)
    {
        misses(counted, -1, 0);
        misses(actual, 1, 0);
    }

    public void miss(MissCause cause, long bytes)
    {
        misses(MissReason.of(cause), 1, bytes);
        if (MissReason.of(cause) == MissReason.EVICTED) {
            tallies.forEach(tally -> tally.evicted(bytes, cause == MissCause.EVICTED_LATELY));
        }
    }

    /** Records that a query requested work, which a layer may save. */
    public void requested(WorkKind work, long amount)
    {
        savings.add(work, amount, 0);
    }

    /** Records that requested work was done, or work in addition. */
    public void done(WorkKind work, long amount)
    {
        savings.add(work, 0, amount);
    }

    /** Records one load from the source, with its bytes and its duration. */
    public void load(long bytes, long nanos)
    {
        tallies.forEach(tally -> tally.load(bytes, nanos));
    }
}
