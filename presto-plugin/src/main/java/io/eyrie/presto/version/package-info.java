/**
 * Which version of a file a split means: the entity tags that S3 gives, from the listing on the coordinator over the split to the
 * conditional GET on the worker. Nothing here knows of pages; {@code filesystem} builds its keys from it.
 */
@NullMarked
package io.eyrie.presto.version;

import org.jspecify.annotations.NullMarked;
