package io.eyrie.cache.device;

/** The right of one store to work on one directory. Whoever ends without closing it loses it all the same. Thread-safe. */
public interface DirectoryLock
        extends AutoCloseable
{
    /** The name of the file in the directory that stands for the right. */
    String FILE_NAME = "lock";

    /** Whether nobody else can have taken the directory. */
    boolean isHeld();

    @Override
    void close();
}
