@NullMarked
package io.eyrie.metastore;

import org.jspecify.annotations.NullMarked;
