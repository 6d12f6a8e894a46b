// SPDX-License-Identifier: Apache-2.0
/** Tests Spark as a user of the file system that {@code cache-fs} puts in front of S3A. */
@NullMarked
package io.eyrie.spark;

import org.jspecify.annotations.NullMarked;
