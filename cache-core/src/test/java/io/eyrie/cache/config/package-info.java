/** Tests of the settings. */
@NullMarked
package io.eyrie.cache.config;

import org.jspecify.annotations.NullMarked;
