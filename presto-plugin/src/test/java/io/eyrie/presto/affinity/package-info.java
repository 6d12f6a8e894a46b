/** Tests of affinity in Presto. */
@NullMarked
package io.eyrie.presto.affinity;

import org.jspecify.annotations.NullMarked;
