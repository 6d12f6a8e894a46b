// SPDX-License-Identifier: Apache-2.0
/**
 * Defines the settings of the cache as plain values, with each default written once, and the exception that explains a wrong setting. Used by
 * everything that opens a cache. Does no I/O.
 */
@NullMarked
package io.eyrie.cache.config;

import org.jspecify.annotations.NullMarked;
