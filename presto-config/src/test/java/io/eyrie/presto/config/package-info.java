@NullMarked
package io.eyrie.presto.config;

import org.jspecify.annotations.NullMarked;
