@NullMarked
package io.eyrie.presto.control;

import org.jspecify.annotations.NullMarked;
