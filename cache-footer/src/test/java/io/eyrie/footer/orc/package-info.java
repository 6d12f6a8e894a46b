@NullMarked
package io.eyrie.footer.orc;

import org.jspecify.annotations.NullMarked;
