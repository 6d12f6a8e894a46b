@NullMarked
package io.eyrie.presto.memory;

import org.jspecify.annotations.NullMarked;
