// SPDX-License-Identifier: Apache-2.0
/** Tests the plugin folder in real Presto clusters, on real S3 servers. */
@NullMarked
package io.eyrie.integration;

import org.jspecify.annotations.NullMarked;
