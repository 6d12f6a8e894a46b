/** Spark as a user of the file system that {@code cache-fs} puts before S3A. */
@NullMarked
package io.eyrie.spark;

import org.jspecify.annotations.NullMarked;
