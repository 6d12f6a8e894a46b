// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.metastore.stored;

import org.jspecify.annotations.NullMarked;
