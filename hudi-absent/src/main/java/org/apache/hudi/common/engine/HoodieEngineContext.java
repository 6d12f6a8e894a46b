// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.common.engine;

/** Named by the signature of a method that is not called. */
public abstract class HoodieEngineContext
{}
