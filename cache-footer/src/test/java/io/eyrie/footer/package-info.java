@NullMarked
package io.eyrie.footer;

import org.jspecify.annotations.NullMarked;
