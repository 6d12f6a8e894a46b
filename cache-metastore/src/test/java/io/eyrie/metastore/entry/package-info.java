@NullMarked
package io.eyrie.metastore.entry;

import org.jspecify.annotations.NullMarked;
