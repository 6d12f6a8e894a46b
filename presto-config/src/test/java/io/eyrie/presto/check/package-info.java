@NullMarked
package io.eyrie.presto.check;

import org.jspecify.annotations.NullMarked;
