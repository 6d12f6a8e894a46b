// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.metastore.log;

import org.jspecify.annotations.NullMarked;
