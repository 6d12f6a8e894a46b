@NullMarked
package io.eyrie.cache.clock;

import org.jspecify.annotations.NullMarked;
