@NullMarked
package io.eyrie.footer.parquet;

import org.jspecify.annotations.NullMarked;
