package io.eyrie.fs;

/** The properties, in core-site.xml or wherever else a Hadoop configuration comes from. Sizes take Hadoop's suffixes (k, m, g, t), times too (ms, s, m). */
public final class EyrieKeys
{
    public static final String PREFIX = "fs.eyrie.";

    /** {@code false}: everything passes through, uncached. */
    public static final String ENABLED = PREFIX + "enabled";
    /** Existing directories on local disks, one a disk, separated by commas. Without a default. */
    public static final String DIRECTORIES = PREFIX + "cache.directories";
    /** The most disk space that one process takes, over all directories. */
    public static final String CAPACITY = PREFIX + "cache.capacity";
    /** How many processes of this machine may cache at a time, each in folders of its own; further ones read uncached. */
    public static final String MAX_PROCESSES = PREFIX + "cache.max-processes";
    /** The unit of caching: a power of two, 64k to 16m. */
    public static final String PAGE_SIZE = PREFIX + "cache.page-size";
    /** What is left free on the volume of each directory. */
    public static final String MIN_FREE_SPACE = PREFIX + "cache.min-free-space";
    /** The most memory that pages take which wait for being written. */
    public static final String WRITE_BUFFER = PREFIX + "cache.write-buffer";
    /** The most ranges that a process fetches at a time. */
    public static final String FETCH_THREADS = PREFIX + "cache.fetch-threads";
    /** How long a file's status counts for opens that give neither status nor length; 0: the store is asked at every such open. */
    public static final String STATUS_TTL = PREFIX + "status-ttl";
    /** The same for opens that give the length alone, if it is the status's. */
    public static final String LENGTH_TTL = PREFIX + "length-ttl";
    /** How old a file has to be to be cached, where the store gives no ETag: two changes within one tick of its clock are one version. */
    public static final String MIN_FILE_AGE = PREFIX + "min-file-age";
    /** The most remote files that are kept open for the next reader; 0: none. */
    public static final String MAX_IDLE_HANDLES = PREFIX + "handles.max-idle";
    /** How long a remote file is kept open that nobody reads. */
    public static final String HANDLE_IDLE_TIME = PREFIX + "handles.idle-time";

    private EyrieKeys()
    {}

    /** Names the real file system of a scheme: {@code fs.eyrie.s3a.impl}. */
    public static String implementation(String scheme)
    {
        return PREFIX + scheme + ".impl";
    }
}
