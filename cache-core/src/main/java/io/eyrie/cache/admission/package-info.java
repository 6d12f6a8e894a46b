/**
 * Deciding what is worth being written to the cache. {@code AdmissionConfig} makes the policies, which know pages, scopes and byte counts alone
 * and do no I/O. Asked by {@code page} for what is missed, never for hits.
 */
@NullMarked
package io.eyrie.cache.admission;

import org.jspecify.annotations.NullMarked;
