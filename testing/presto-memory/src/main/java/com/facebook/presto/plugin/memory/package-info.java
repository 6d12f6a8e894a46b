// SPDX-License-Identifier: Apache-2.0
/** Replaces the classes of Presto's memory connector that do not fit the engine that the tests run. */
package com.facebook.presto.plugin.memory;
