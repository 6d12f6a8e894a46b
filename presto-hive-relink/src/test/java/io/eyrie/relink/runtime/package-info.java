@NullMarked
package io.eyrie.relink.runtime;

import org.jspecify.annotations.NullMarked;
