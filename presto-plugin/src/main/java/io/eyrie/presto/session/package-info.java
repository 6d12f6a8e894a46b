/** Session properties that set how a query uses each layer. */
@NullMarked
package io.eyrie.presto.session;

import org.jspecify.annotations.NullMarked;
