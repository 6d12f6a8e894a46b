// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

/** The engine that caches the pages of a catalog. */
public enum CacheEngine
{
    /** Eyrie's own. */
    EYRIE,
    /** Alluxio's client cache, which guarantees less: see the README of {@code cache-alluxio}. */
    ALLUXIO_CLIENT,
}
