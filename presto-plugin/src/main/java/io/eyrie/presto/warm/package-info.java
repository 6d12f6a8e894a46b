// SPDX-License-Identifier: Apache-2.0
/**
 * Loads tables into the cache before queries need them: the table function {@code system.warm_cache} is a scan whose splits run where those of queries run and
 * whose page sources load the same data as queries.
 */
@NullMarked
package io.eyrie.presto.warm;

import org.jspecify.annotations.NullMarked;
