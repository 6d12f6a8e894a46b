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
    /** The item was not requested before, as far as this node remembers. */
    NEVER_SEEN("was not requested before, as far as the node remembers", ""),
    /** The item was cached, and was evicted to make room or because of its age. */
    EVICTED("was cached, and was dropped to make room or because of its age",
            "add disk space or memory, deny tables that are read only once, or pin important ones"),
    /** Another version of the file was seen before, or metadata or the files of a directory changed while they were loaded. */
    OTHER_VERSION("changed since it was cached", ""),
    /** {@code cache.admission.allow} and {@code deny}, or an operator's rule, exclude the table. */
    DENIED_BY_RULE("belongs to a table that a rule excludes",
            "system.forget_cache_rule, or correct cache.admission.allow and deny, if the table should be cached"),
    /**
     * A page under {@code cache.admission.second-touch-pages}, or a large fragment result without joins: the first request does not cache it, the second does. For
     * a fragment result, both requests count under this reason.
     */
    SEEN_ONCE("was requested for the first time; the second request caches it", ""),
    /** The query has used up {@code cache.admission.query-write-budget}. */
    OVER_QUERY_BUDGET("exceeds what one query may write", "raise cache.admission.query-write-budget"),
    /** The node has used up {@code cache.admission.daily-write-budget}. */
    OVER_DAILY_BUDGET("exceeds what may be written in a day",
            "raise cache.admission.daily-write-budget if the disks tolerate it, or deny tables that are read only once"),
    /** The coordinator has used up {@code cache.file-statistics.daily-requests} or {@code daily-size}. */
    OVER_FOOTER_BUDGET("exceeds the footers that the coordinator may read in the background in a day",
            "raise cache.file-statistics.daily-requests or cache.file-statistics.daily-size"),
    /** The split ran on a node that does not cache it. */
    NOT_PREFERRED_NODE("was read by a worker that does not cache it, because the worker that does was busy or had just joined",
            "raise the number of splits that a worker may run, or wait"),
    /** The session only reads the cache: {@code …_cache_mode=READ_ONLY}. */
    READ_ONLY("may not be cached by this session", "remove the session property …_cache_mode"),
    /** The item was cached, and the session does not use the cache: {@code …_cache_mode=DRY_RUN}. */
    DRY_RUN("is cached, but the session only counts hits", "remove the session property …_cache_mode"),
    /** The version of the file is not known, or is too young to be distinguished from the next. */
    NO_VERSION("has no version: the store reports none, or the file is younger than two seconds", ""),
    /**
     * Eyrie uses no statistics of the file: its format has none, its partition has other columns than the table, its version is not certain, or users have
     * individual rights in the store.
     */
    NO_STATISTICS("is a file without usable statistics, because of its format, columns, version or rights", ""),
    /** The plan fragment contains a value of the clock that is specific to this query. */
    CLOCK("contains a time of the query, such as now()", ""),
    /**
     * The fragment results being recorded and served occupied {@code fragment-result-cache.max-in-flight-size}, or the file lists being read
     * {@code hive.file-status-cache.max-retained-size}.
     */
    OVER_MEMORY("did not fit into the memory for results or lists in use",
            "raise fragment-result-cache.max-in-flight-size or hive.file-status-cache.max-retained-size"),
    /**
     * The item exceeds a fixed or configured bound: a plan fragment, which the coordinator counts once per scan; the result of a split; a predicate of a
     * metastore lookup; the partitions of a scan that are to be listed by prefix.
     */
    TOO_LARGE("exceeds a bound", "see the layer's row in the table of bounds in docs/operating.md"),
    /** A fragment result that is nearly as large as its input and cheap to compute is not stored. */
    NOT_WORTH_IT("is nearly as large as its input, and cheap to compute again", ""),
    /** The planning of the fragment failed, and Presto runs it as planned. Counted by the coordinator, once per scan. */
    PLANNING_FAILED("caused an exception in planning", "report the exception in the coordinator's log"),
    /** The coordinator has not planned the joins before. Counted by the coordinator, once for the joins below an aggregation or a top-N. */
    JOIN_SEEN_ONCE("was planned for the first time; the second query caches it", ""),
    /** More than one of the joined tables is too large to be a build side, or their files could not be listed in time. Counted like the reason above. */
    JOIN_TOO_LARGE("exceeds a bound of joins",
            "raise fragment-result-cache.joined.max-build-size or fragment-result-cache.joined.listing-time; the other bounds, in docs/operating.md, are fixed"),
    /** The build sides of all workers would take too much of {@code query_max_total_memory}. Counted like the reason above. */
    JOIN_OVER_MEMORY("has build sides that would take more than half of query_max_total_memory on all workers together",
            "raise query.max-total-memory of Presto; for a join of several small tables, a lower fragment-result-cache.joined.max-build-size may help, too"),
    /** The joins have a form that cannot be cached. Counted like the reason above. */
    JOIN_REFUSED("has a form that is not cached", ""),
    /** Metadata of the table is already cached for as many impersonated users as allowed. */
    TOO_MANY_USERS("is cached for 1,000 other impersonated users", ""),
    /** All of {@code cache.fetch-memory}, all threads that fetch, or all fetches that a file may have were in use. */
    FETCH_BUSY("was requested while all fetches, or the memory for them, were in use",
            "raise cache.fetch-memory if fetchMemoryRejections of the MBean DataCache grows"),
    /**
     * The page was fetched before, or the fragment result computed, and not written: {@code cache.write-buffer} was full, or the store refused it. A
     * fragment result also has this reason if it was not admitted.
     */
    NOT_WRITTEN("was fetched or computed before, but not written",
            "raise cache.write-buffer if busyWrites of the MBean DataCache grows; free disk space if declinedWrites does"),
    /** The operator does not name the table in {@code hive.file-status-cache-tables}, or the directory is open. */
    NOT_SEALED("is in a directory that may still change",
            "name the table in hive.file-status-cache-tables if its files do not change without the metastore"),
    /** Nothing validates the cached metadata or file list for the query: the log could not be read, the entry has no version, or the query compared nothing. */
    NOT_VALIDATED("is cached, but could not be validated",
            "see why the metastore's notification log cannot be read: LogFailures of the MBean MetastoreCache"),
    /** The page store or the disk was overloaded. */
    DISK_BUSY("was requested while the disk was overloaded", "add cache disks or use faster ones"),
    /** The disk failed, or did not answer in time. */
    DISK_ERROR("is on a disk that failed or did not answer in time", "replace the disk: cache.disks"),
    DISK_OUT_OF_SERVICE("is on a disk that is out of service", "replace the disk: cache.disks"),
    /** The data on the disk was not the expected data; it was dropped. */
    CORRUPT("was damaged on the disk, and was dropped", "run eyrie verify on the worker, and replace the disk");

    private final String meaning;
    private final String remedy;

    MissReason(String meaning, String remedy)
    {
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** Returns what happened to the requested item, as the end of a sentence. */
    public String meaning()
    {
        return meaning;
    }

    /** Returns what an operator or user can do about it; {@code ""} if nothing. */
    public String remedy()
    {
        return remedy;
    }

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
            case DENIED -> Optional.of(DENIED_BY_RULE);
            case LARGE_TABLES, NOT_LISTED, TOO_LARGE -> Optional.of(JOIN_TOO_LARGE);
            case OVER_MEMORY -> Optional.of(JOIN_OVER_MEMORY);
            case CLOCK -> Optional.of(CLOCK);
            case FAILED -> Optional.of(PLANNING_FAILED);
            case SHAPE, AGGREGATION, EXPRESSION, DYNAMIC_FILTER, LAYOUT -> Optional.of(JOIN_REFUSED);
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
            case EVICTED, EVICTED_LATELY -> EVICTED;
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
