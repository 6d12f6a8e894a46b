@NullMarked
package io.eyrie.metastore.files;

import org.jspecify.annotations.NullMarked;
