@NullMarked
package io.eyrie.metastore.log;

import org.jspecify.annotations.NullMarked;
