/**
 * What metastores without a notification log tell of the versions of tables and partitions. Used by the metastore cache, made by the plugin. A version that is told
 * twice stands for the same answers both times.
 */
@NullMarked
package io.eyrie.metastore.version;

import org.jspecify.annotations.NullMarked;
