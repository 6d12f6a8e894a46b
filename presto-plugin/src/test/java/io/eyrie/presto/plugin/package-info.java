@NullMarked
package io.eyrie.presto.plugin;

import org.jspecify.annotations.NullMarked;
