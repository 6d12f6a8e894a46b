@NullMarked
package io.eyrie.cache.file;

import org.jspecify.annotations.NullMarked;
