package io.eyrie.presto.config;

/** Whose cache keeps the pages of a catalog. */
public enum CacheEngine
{
    /** Eyrie's own. */
    EYRIE,
    /** Alluxio's client cache, which promises less: the README of {@code cache-alluxio} says what. */
    ALLUXIO_CLIENT,
}
