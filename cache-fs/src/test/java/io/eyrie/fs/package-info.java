@NullMarked
package io.eyrie.fs;

import org.jspecify.annotations.NullMarked;
