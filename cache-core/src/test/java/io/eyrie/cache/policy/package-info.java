/** Tests. */
@NullMarked
package io.eyrie.cache.policy;

import org.jspecify.annotations.NullMarked;
