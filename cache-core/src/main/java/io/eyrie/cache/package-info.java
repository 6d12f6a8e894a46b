// SPDX-License-Identifier: Apache-2.0
/**
 * The entry point: {@link io.eyrie.cache.PageCaches} assembles a page cache from its configuration and shares it within the process. Called by
 * adapters; uses all the packages below, none of which uses it.
 */
@NullMarked
package io.eyrie.cache;

import org.jspecify.annotations.NullMarked;
