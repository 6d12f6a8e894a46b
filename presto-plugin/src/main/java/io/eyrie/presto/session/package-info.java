/** What a session may have the layers do. */
@NullMarked
package io.eyrie.presto.session;

import org.jspecify.annotations.NullMarked;
