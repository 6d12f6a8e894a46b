/**
 * Loads tables into the cache before queries ask for them: the table function {@code system.warm_cache}, a scan whose splits run where those of queries do and
 * whose page sources load what queries would.
 */
@NullMarked
package io.eyrie.presto.warm;

import org.jspecify.annotations.NullMarked;
