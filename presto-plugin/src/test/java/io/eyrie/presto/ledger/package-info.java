@NullMarked
package io.eyrie.presto.ledger;

import org.jspecify.annotations.NullMarked;
