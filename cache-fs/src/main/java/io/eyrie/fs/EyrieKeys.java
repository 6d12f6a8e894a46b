// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The properties, in core-site.xml or any other source of the Hadoop configuration. Sizes accept Hadoop's suffixes (k, m, g, t), and so do times (ms,
 * s, m).
 */
public final class EyrieKeys
{
    public static final String PREFIX = "fs.eyrie.";

    /** {@code false}: all calls pass through, uncached. */
    public static final String ENABLED = PREFIX + "enabled";
    /** Existing directories on local disks, one per disk, separated by commas. No default. */
    public static final String DIRECTORIES = PREFIX + "cache.directories";
    /** Maximum disk space of one process, over all directories. */
    public static final String CAPACITY = PREFIX + "cache.capacity";
    /** Maximum number of processes on this machine that cache at a time, each in its own folders; further processes read uncached. */
    public static final String MAX_PROCESSES = PREFIX + "cache.max-processes";
    /** The unit of caching: a power of two, 64k to 16m. */
    public static final String PAGE_SIZE = PREFIX + "cache.page-size";
    /** Space to leave free on the volume of each directory. */
    public static final String MIN_FREE_SPACE = PREFIX + "cache.min-free-space";
    /** Maximum memory for pages waiting to be written. */
    public static final String WRITE_BUFFER = PREFIX + "cache.write-buffer";
    /** Maximum number of ranges that a process fetches at a time. */
    public static final String FETCH_THREADS = PREFIX + "cache.fetch-threads";
    /** How long a file's status is valid for opens that pass neither status nor length; 0: every such open asks the store. */
    public static final String STATUS_TTL = PREFIX + "status-ttl";
    /** The same for opens that pass only a length, if it matches the status. */
    public static final String LENGTH_TTL = PREFIX + "length-ttl";
    /** Minimum age of a file to be cached if the store provides no ETag: two changes within one tick of the store's clock look like one version. */
    public static final String MIN_FILE_AGE = PREFIX + "min-file-age";
    /**
     * How long a user who may read a file is not checked again. Does not concern S3A, whose status needs the right to read; 0: every open asks the store.
     */
    public static final String ACCESS_CHECK_INTERVAL = PREFIX + "access-check-interval";
    /** Maximum number of remote files that stay open for the next reader; 0: none. */
    public static final String MAX_IDLE_HANDLES = PREFIX + "handles.max-idle";
    /** How long an unused remote file stays open. */
    public static final String HANDLE_IDLE_TIME = PREFIX + "handles.idle-time";

    private static final Set<String> FIXED = Set.of(ENABLED, DIRECTORIES, CAPACITY, MAX_PROCESSES, PAGE_SIZE, MIN_FREE_SPACE, WRITE_BUFFER,
            FETCH_THREADS, STATUS_TTL, LENGTH_TTL, MIN_FILE_AGE, ACCESS_CHECK_INTERVAL, MAX_IDLE_HANDLES, HANDLE_IDLE_TIME);
    private static final Pattern IMPLEMENTATION = Pattern.compile(Pattern.quote(PREFIX) + "[a-z][a-z0-9+.-]*\\.impl");

    private EyrieKeys()
    {}

    /** Returns the property that names the real file system of a scheme: {@code fs.eyrie.s3a.impl}. */
    public static String implementation(String scheme)
    {
        return PREFIX + scheme + ".impl";
    }

    static boolean isKnown(String key)
    {
        return FIXED.contains(key) || IMPLEMENTATION.matcher(key).matches();
    }

    /** Returns the names of the properties that a file system of this scheme reads. */
    static List<String> known(String scheme)
    {
        List<String> names = new ArrayList<>(FIXED);
        names.add(implementation(scheme));
        return names;
    }
}
