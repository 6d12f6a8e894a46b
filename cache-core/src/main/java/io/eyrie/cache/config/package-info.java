/**
 * Settings of the cache as plain values, each default written once, and the exception that says what is wrong with one.
 * Used by everything that opens a cache. Does no I/O.
 */
@NullMarked
package io.eyrie.cache.config;

import org.jspecify.annotations.NullMarked;
