@NullMarked
package io.eyrie.cache.handle;

import org.jspecify.annotations.NullMarked;
