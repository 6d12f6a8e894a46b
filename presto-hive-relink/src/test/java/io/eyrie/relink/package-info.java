@NullMarked
package io.eyrie.relink;

import org.jspecify.annotations.NullMarked;
