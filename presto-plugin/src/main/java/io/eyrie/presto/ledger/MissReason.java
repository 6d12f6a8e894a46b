// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import io.eyrie.cache.page.MissCause;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.result.Abandonment;
import io.eyrie.fragment.result.ResultLookup;

import java.util.Locale;
import java.util.Optional;

/** Why a layer did not serve a request. */
public enum MissReason
{
    /** Not requested before, as far as this node remembers. */
    NEVER_SEEN,
    /** It was cached, and was evicted to make room or because of its age. */
    EVICTED,
    /** Another version of the file was seen before, or metadata or the files of a directory changed while they were loaded. */
    OTHER_VERSION,
    /** Denied by {@code cache.admission.allow} and {@code deny}, or by an operator's rule. */
    DENIED_BY_RULE,
    /**
     * A page under {@code cache.admission.second-touch-pages}, or a large fragment result: the first request does not cache it, the second does. Of
     * a fragment result, both requests count under this reason.
     */
    SEEN_ONCE,
    /** {@code cache.admission.query-write-budget}. */
    OVER_QUERY_BUDGET,
    /** {@code cache.admission.daily-write-budget}. */
    OVER_DAILY_BUDGET,
    /** The split ran on a node that does not cache it. */
    NOT_PREFERRED_NODE,
    /** The session only reads the cache: {@code …_cache_mode=READ_ONLY}. */
    READ_ONLY,
    /** It was cached and would have been served: {@code …_cache_mode=DRY_RUN}. */
    DRY_RUN,
    /** The version of the file is not known, or is too young to be distinguished from the next. */
    NO_VERSION,
    /** The plan fragment contains a value of the clock that is specific to this query. */
    CLOCK,
    /**
     * The fragment results being recorded and served occupied {@code fragment-result-cache.max-in-flight-size}, or the file lists being read
     * {@code hive.file-status-cache.max-retained-size}.
     */
    OVER_MEMORY,
    /**
     * It exceeds a fixed or configured bound: a plan fragment, which the coordinator counts once per scan; the result of a split; a predicate of a
     * metastore lookup; the partitions of a scan that are to be listed by prefix.
     */
    TOO_LARGE,
    /** A fragment result that is nearly as large as its input and cheap to compute is not stored. */
    NOT_WORTH_IT,
    /** The planning of the fragment failed, and Presto runs it as planned. Counted by the coordinator, once per scan. */
    PLANNING_FAILED,
    /** The coordinator has not planned the joins before. Counted by the coordinator, once for the joins below an aggregation. */
    JOIN_SEEN_ONCE,
    /** More than one of the joined tables is too large to be a build side, or their files could not be listed in time. Counted likewise. */
    JOIN_TOO_LARGE,
    /** The joins have a form that cannot be cached. Counted likewise. */
    JOIN_REFUSED,
    /** Metadata of the table is already cached for as many impersonated users as allowed. */
    TOO_MANY_USERS,
    /** All of {@code cache.fetch-memory}, all threads that fetch, or all fetches that a file may have were in use. */
    FETCH_BUSY,
    /**
     * The page was fetched before, or the fragment result computed, and not written: {@code cache.write-buffer} was full, or the store refused it. A
     * fragment result also has this reason if it was not admitted.
     */
    NOT_WRITTEN,
    /** The operator does not name the table in {@code hive.file-status-cache-tables}, or the directory is open. */
    NOT_SEALED,
    /** Nothing validates the cached metadata: the metastore's log could not be read, or the entry has no version. */
    NOT_VOUCHED_FOR,
    /** The page store or the disk was overloaded. */
    DISK_BUSY,
    /** The disk failed, or did not answer in time. */
    DISK_ERROR,
    DISK_OUT_OF_SERVICE,
    /** The data on the disk was not the expected data; it was dropped. */
    CORRUPT;

    /** Returns the name that tables show. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns why the result of a split was not stored; empty if the recording only stopped because the query did. */
    public static Optional<MissReason> of(Abandonment abandonment)
    {
        return switch (abandonment) {
            case CLOSED_EARLY -> Optional.empty();
            case TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_DECODED_BYTES, TOO_LONG -> Optional.of(TOO_LARGE);
            case IN_FLIGHT -> Optional.of(OVER_MEMORY);
            case LARGE_AND_NEW -> Optional.of(SEEN_ONCE);
            case NOT_WORTH_IT -> Optional.of(NOT_WORTH_IT);
        };
    }

    /** Returns why joins were not replaced by a scan; empty if the statement writes, so that they never are. */
    public static Optional<MissReason> of(JoinRefusal reason)
    {
        return switch (reason) {
            case WRITES -> Optional.empty();
            case SEEN_ONCE -> Optional.of(JOIN_SEEN_ONCE);
            case LARGE_TABLES, NOT_LISTED, TOO_LARGE -> Optional.of(JOIN_TOO_LARGE);
            case CLOCK -> Optional.of(CLOCK);
            case FAILED -> Optional.of(PLANNING_FAILED);
            case SHAPE, OUTER_FILTER, AGGREGATION, EXPRESSION, DYNAMIC_FILTER, LAYOUT -> Optional.of(JOIN_REFUSED);
        };
    }

    public static MissReason of(ResultLookup.Absence absence)
    {
        return switch (absence) {
            case UNKNOWN -> NEVER_SEEN;
            case EVICTED -> EVICTED;
            case NOT_WRITTEN -> NOT_WRITTEN;
            case LARGE -> SEEN_ONCE;
        };
    }

    public static MissReason of(MissCause cause)
    {
        return switch (cause) {
            case NEVER_KEPT -> NEVER_SEEN;
            case EVICTED -> EVICTED;
            case NOT_KEPT_HERE -> NOT_PREFERRED_NODE;
            case DRY_RUN -> DRY_RUN;
            case DENIED_BY_RULE -> DENIED_BY_RULE;
            case SEEN_ONCE -> SEEN_ONCE;
            case OVER_QUERY_BUDGET -> OVER_QUERY_BUDGET;
            case OVER_DAILY_BUDGET -> OVER_DAILY_BUDGET;
            case FETCH_BUSY -> FETCH_BUSY;
            case NOT_WRITTEN -> NOT_WRITTEN;
            case OUT_OF_SERVICE -> DISK_OUT_OF_SERVICE;
            case BUSY -> DISK_BUSY;
            case CORRUPT -> CORRUPT;
            case DISK_ERROR -> DISK_ERROR;
        };
    }
}
